{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  if (plan.placeIsTemporary) children.updateMany({ [plan.place]: { $exists: true } }, { $unset: { [plan.place]: '' } });
  parents.updateMany({ [plan.path]: [] }, { $unset: { [plan.path]: '' } });
}
