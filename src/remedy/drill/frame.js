{
  const plan = PLAN;
  // Only ever in a database of its own, which it fills and drops.
  const database = db.getSiblingDB(plan.database);
  if (database.getCollectionNames().length > 0) {
    throw new Error(`${plan.database} holds collections: drop it, or name another test database in the plan`);
  }
  const main = database.getCollection(plan.collection);
  const other = database.getCollection(plan.other);
  const steps = [];
  const check = (step, holds) => { steps.push({ step, holds: holds === true }); };
  const at = (document, path) =>
    path.split('.').reduce((inner, name) => (inner === null || inner === undefined ? undefined : inner[name]), document);
  const refused = (error) => error.code === 11000 || /duplicate key|E11000/u.test(String(error.message));

BODY
  database.dropDatabase();
  printjson({ drill: plan.pattern, held: steps.filter((one) => one.holds).length, failed: steps.filter((one) => !one.holds) });
}
