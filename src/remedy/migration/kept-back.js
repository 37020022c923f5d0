{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const kept = [plan.field, plan.count].filter((path) => path !== null);
  printjson(database.getCollection(plan.parents).updateMany(
    { $or: kept.map((path) => ({ [path]: { $exists: true } })) },
    { $unset: Object.fromEntries(kept.map((path) => [path, 1])) },
  ));
}
