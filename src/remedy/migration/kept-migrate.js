{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  BATCHES
  KEPT
  startWith(children, plan.parentId);
  let filled = 0;
  for (let ids = next(parents, {}); ids.length > 0; ids = next(parents, {}, ids[ids.length - 1])) {
    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      ...made,
      { $project: { mongovetNewest: 1, mongovetCount: 1 } },
      { $merge: { into: plan.parents, on: '_id', whenMatched: [{ $set: values('$$new.') }], whenNotMatched: 'discard' } },
    ]).toArray();
    filled += ids.length;
    print(`${filled} filled`);
  }
  printjson({ filled });
}
