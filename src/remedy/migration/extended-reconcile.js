{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const holders = database.getCollection(plan.holders);
  COPIES
  printjson(holders.aggregate([
    { $match: { [reference]: { $exists: true } } },
    ...compared,
    { $match: { $or: [{ differs: true }, { dangles: true }] } },
    { $limit: 100 },
  ]).toArray());
}
