{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  children.updateMany({ [plan.place]: { $exists: true } }, { $unset: { [plan.place]: '' } });
  parents.updateMany({ [plan.path]: { $size: 0 } }, { $unset: { [plan.path]: '' } });
}
