{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  const array = '$' + plan.path;
  const key = `${array}.${plan.key}`;
  const pending = { [plan.path + '.0']: { $exists: true } };
  const ifSame = (changed, path) => ({ $cond: [{ $eq: [array, '$$new.array'] }, changed, '$' + path] });

  // Copies that differ under one key need a decision first: which of them is right?
  const contradicting = parents.aggregate([
    { $unwind: array },
    { $group: { _id: key, copies: { $addToSet: array } } },
    { $match: { 'copies.1': { $exists: true } } },
    { $project: { copies: { $size: '$copies' } } },
    { $limit: 100 },
  ], { allowDiskUse: true }).toArray();
  if (contradicting.length > 0) {
    print('copies of one key differ; nothing was changed');
  }

  const differing = [];
  let moved = 0;
  let last;
  while (contradicting.length === 0) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find({ ...pending, ...after }, { _id: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    const ids = batch.map((parent) => parent._id);
    last = ids[ids.length - 1];

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $unwind: array },
      { $replaceWith: plan.key === '_id' ? array : { $mergeObjects: [{ _id: key }, array] } },
      { $merge: { into: plan.children, on: '_id', whenMatched: 'keepExisting', whenNotMatched: 'insert' } },
    ]).toArray();

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $lookup: {
        from: plan.children,
        localField: `${plan.path}.${plan.key}`,
        foreignField: '_id',
        pipeline: [{ $project: { mongovetKey: '$_id', child: '$$ROOT' } }, ...(plan.key === '_id' ? [] : [{ $unset: 'child._id' }])],
        as: 'mongovetCopies',
      } },
      { $match: { $expr: { $eq: [array, { $map: {
        input: array,
        as: 'child',
        in: { $let: {
          vars: { copy: { $arrayElemAt: [{ $filter: {
            input: '$mongovetCopies',
            as: 'copy',
            cond: { $eq: ['$$copy.mongovetKey', `$$child.${plan.key}`] },
          } }, 0] } },
          in: '$$copy.child',
        } },
      } }] } } },
      { $project: { array } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: ifSame('$$REMOVE', plan.path), [plan.childIds]: ifSame(key, plan.childIds) } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of left) differing.push(parent._id);
    moved += ids.length - left.length;
    print(`${moved} moved, ${differing.length} differ`);
  }
  printjson({ moved, differing: differing.slice(0, 100), contradicting });
}
