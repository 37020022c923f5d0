{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const owners = database.getCollection(plan.owners);
  const links = database.getCollection(plan.links);
  links.updateMany({ [plan.place]: { $exists: true } }, { $unset: { [plan.place]: '' } });
  owners.updateMany({ [plan.path]: { $size: 0 } }, { $unset: { [plan.path]: '' } });
}
