{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const holders = database.getCollection(plan.holders);
  BATCHES
  COPIES
  // A copy goes while it equals its source; what differs, or has no source any more, is nowhere else.
  const bare = (base) => ({ $arrayToObject: { $filter: {
    input: { $objectToArray: base },
    as: 'field',
    cond: { $not: [{ $or: plan.fields.map(([, name], at) => ({
      $and: [{ $eq: ['$$field.k', { $literal: name }] }, { $eq: ['$$field.v', sourceFields[at]] }],
    })) }] },
  } } });
  const pending = { $or: plan.fields.map(([, name]) => {
    const names = plan.array === null ? [...beside, name] : [plan.array, ...beside, name];
    return { [names.join('.')]: { $exists: true } };
  }) };
  const differing = [];
  let removed = 0;
  for (let ids = next(holders, pending); ids.length > 0; ids = next(holders, pending, ids[ids.length - 1])) {
    rewrite(ids, bare);
    const left = holders.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const holder of left) differing.push(holder._id);
    removed += ids.length - left.length;
    print(`${removed} without copies, ${differing.length} differ`);
  }
  printjson({ removed, differing: differing.slice(0, 100) });
}
