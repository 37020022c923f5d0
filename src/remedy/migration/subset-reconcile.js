{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const ofParent = { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } };
  const lookup = (pipeline, as) => ({ $lookup: { from: plan.children, let: { parent: '$_id' }, pipeline: [ofParent, ...pipeline], as } });
  printjson(database.getCollection(plan.parents).aggregate([
    lookup([{ $sort: Object.fromEntries(plan.subset.sort) }, { $limit: plan.subset.newest }, { $unset: [plan.parentId, plan.place] }], 'newest'),
    lookup([{ $count: 'children' }], 'counted'),
    { $project: {
      copies: { $ifNull: ['$' + plan.subset.field, []] },
      newest: 1,
      count: { $ifNull: ['$' + plan.subset.countField, 0] },
      children: { $ifNull: [{ $arrayElemAt: ['$counted.children', 0] }, 0] },
    } },
    { $project: {
      copiesDiffer: { $ne: ['$copies', '$newest'] },
      count: 1,
      children: 1,
    } },
    { $match: { $or: [{ copiesDiffer: true }, { $expr: { $ne: ['$count', '$children'] } }] } },
    { $limit: 100 },
  ]).toArray());
}
