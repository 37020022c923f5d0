{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const pending = { [plan.childIds]: { $exists: true } };
  let last;
  let restored = 0;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find({ ...pending, ...after }, { _id: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    const ids = batch.map((parent) => parent._id);
    last = ids[ids.length - 1];
    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $lookup: {
        from: plan.children,
        localField: plan.childIds,
        foreignField: '_id',
        pipeline: [{ $project: { mongovetKey: '$_id', child: '$$ROOT' } }, ...(plan.key === '_id' ? [] : [{ $unset: 'child._id' }])],
        as: 'mongovetCopies',
      } },
      { $project: { children: { $map: {
        input: '$' + plan.childIds,
        as: 'id',
        in: { $let: {
          vars: { copy: { $arrayElemAt: [{ $filter: {
            input: '$mongovetCopies',
            as: 'copy',
            cond: { $eq: ['$$copy.mongovetKey', '$$id'] },
          } }, 0] } },
          in: '$$copy.child',
        } },
      } } } },
      // A key whose document is gone would leave a hole: such a parent keeps its keys.
      { $match: { $expr: { $allElementsTrue: { $map: { input: '$children', as: 'child', in: { $ne: [{ $type: '$$child' }, 'null'] } } } } } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: '$$new.children' } }, { $unset: plan.childIds }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();
    restored += ids.length;
    print(`${restored} looked at`);
  }
}
