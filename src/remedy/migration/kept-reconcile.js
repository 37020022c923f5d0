{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  KEPT
  const differs = Object.entries(values('$')).map(([kept, now]) => ({ $ne: ['$' + kept, now] }));
  printjson(database.getCollection(plan.parents).aggregate([
    ...made,
    { $match: { $expr: { $or: differs } } },
    { $project: { count: '$' + plan.count, children: '$mongovetCount' } },
    { $limit: 100 },
  ]).toArray());
}
