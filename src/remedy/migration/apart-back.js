{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const pending = plan.subset
    ? { [plan.subset.field]: { $exists: true }, [plan.path]: { $exists: false } }
    : { $or: [{ [plan.path]: { $exists: false } }, { [plan.path]: [] }] };
  const inOrder = [
    { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } },
    // What came after the migration has no place and goes last.
    { $set: { mongovetOrder: { $ifNull: ['$' + plan.place, 2147483647] } } },
    { $sort: { mongovetOrder: 1, _id: 1 } },
    { $unset: [...plan.added, 'mongovetOrder'] },
  ];
  let restored = 0;
  let last;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find({ ...pending, ...after }, { _id: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    const ids = batch.map((parent) => parent._id);
    last = ids[ids.length - 1];
    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $lookup: { from: plan.children, let: { parent: '$_id' }, pipeline: inOrder, as: 'mongovetChildren' } },
      ...(plan.subset ? [] : [{ $match: { 'mongovetChildren.0': { $exists: true } } }]),
      { $project: { children: '$mongovetChildren' } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [
          { $set: { [plan.path]: '$$new.children' } },
          ...(plan.subset ? [{ $unset: [plan.subset.field, plan.subset.count].filter(Boolean) }] : []),
        ],
        whenNotMatched: 'discard',
      } },
    ]).toArray();
    restored += ids.length;
    print(`${restored} looked at`);
  }
}
