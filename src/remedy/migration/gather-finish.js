{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  BATCHES
  GATHER
  // Only a child that equals what its parent holds goes.
  const inside = plan.one ? { $cond: [{ $eq: [{ $type: own }, 'object'] }, [own], []] } : { $cond: [{ $isArray: [own] }, own, []] };
  const value = plan.value === null ? '$$child' : '$$child.' + plan.value;
  let removed = 0;
  for (let ids = next(parents, {}); ids.length > 0; ids = next(parents, {}, ids[ids.length - 1])) {
    const batch = parents.aggregate([
      { $match: { _id: { $in: ids }, [plan.path]: { $exists: true } } },
      ofParent,
      { $project: { held: { $filter: { input: '$mongovetChildren', as: 'child', cond: { $in: [value, inside] } } } } },
      { $project: { held: '$held._id' } },
    ]).toArray();
    const held = batch.flatMap((parent) => parent.held);
    children.deleteMany({ _id: { $in: held } });
    removed += held.length;
    print(`${removed} removed`);
  }
  printjson({ removed, left: children.countDocuments({}) });
}
