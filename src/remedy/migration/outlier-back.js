{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const marked = parents.find({ [plan.flag]: true }, { _id: 1 }).sort({ _id: 1 }).toArray();
  for (const { _id } of marked) {
    parents.aggregate([
      { $match: { _id } },
      { $lookup: {
        from: plan.overflow,
        let: { parent: '$_id' },
        pipeline: [{ $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } }, { $sort: { page: 1 } }],
        as: 'mongovetPages',
      } },
      { $project: { children: { $reduce: {
        input: '$mongovetPages',
        initialValue: '$' + plan.path,
        in: { $concatArrays: ['$$value', '$$this.' + plan.leaf] },
      } } } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: '$$new.children' } }, { $unset: plan.flag }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();
  }
  print(`${marked.length} joined again`);
}
