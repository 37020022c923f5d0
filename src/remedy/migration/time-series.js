{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  database.createCollection(plan.children, { timeseries: { timeField: plan.time, metaField: plan.parentId, granularity: 'minutes' } });
  // One measurement for each element. $out writes into a time series from 7.0.3 on; before, insert in batches.
  printjson(database.getCollection(plan.parents).aggregate([
    { $unwind: '$' + plan.path },
    { $replaceWith: { $mergeObjects: ['$' + plan.path, { [plan.parentId]: '$_id' }] } },
    { $limit: 10 },
  ]).toArray());
}
