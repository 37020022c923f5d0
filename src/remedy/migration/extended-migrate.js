{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const holders = database.getCollection(plan.holders);
  BATCHES
  COPIES
  // A field that is there stays as it is: where it differs from its source, somebody has to say which is right.
  const filled = (base) => ({ $mergeObjects: [base, Object.fromEntries(plan.fields.map(([, name], at) => {
    const copy = `${base}.${name}`;
    return [name, { $cond: [{ $eq: [{ $type: copy }, 'missing'] }, sourceFields[at], copy] }];
  }))] });
  const pending = { [reference]: { $exists: true } };
  const [differing, dangling] = [[], []];
  let copied = 0;
  for (let ids = next(holders, pending); ids.length > 0; ids = next(holders, pending, ids[ids.length - 1])) {
    rewrite(ids, filled);
    for (const holder of holders.aggregate([{ $match: { _id: { $in: ids } } }, ...compared]).toArray()) {
      if (holder.differs) differing.push(holder._id);
      if (holder.dangles) dangling.push(holder._id);
      if (!holder.differs && !holder.dangles) copied += 1;
    }
    print(`${copied} hold their copies, ${differing.length} differ`);
  }
  printjson({ copied, differing: differing.slice(0, 100), dangling: dangling.slice(0, 100) });
}
