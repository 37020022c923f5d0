{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  BATCHES
  GATHER
  // Two parents of one key would both get the children, and what a link says besides its two references has no place.
  const refused = plan.target === '_id' ? [] : parents.aggregate([
    { $match: { [plan.target]: { $ne: null } } },
    { $group: { _id: '$' + plan.target, parents: { $sum: 1 } } },
    { $match: { parents: { $gt: 1 } } },
    { $limit: 100 },
  ], { allowDiskUse: true }).toArray();
  if (plan.value !== null) {
    const saysMore = { $expr: { $gt: [{ $size: { $objectToArray: '$$ROOT' } }, 3] } };
    refused.push(...children.find(saysMore, { _id: 1 }).limit(100).toArray());
  }
  if (refused.length > 0) print('one key has several parents, or a link says more; nothing was changed');
  startWith(children, plan.parentId);

  // What is there already stays, unless children came since.
  const isFree = { $eq: [{ $type: own }, 'missing'] };
  const isPart = { $cond: [
    { $and: [{ $isArray: [own] }, { $isArray: ['$$new.embedded'] }] },
    { $and: [{ $lt: [{ $size: own }, { $size: '$$new.embedded' }] }, { $setIsSubset: [own, '$$new.embedded'] }] },
    false,
  ] };
  const differing = [];
  let moved = 0;
  let ids = refused.length > 0 ? [] : next(parents, {});
  while (ids.length > 0) {
    parents.aggregate([
      { $match: { _id: { $in: ids }, $expr: isWithinObjects(plan.path) } },
      ofParent,
      hasChildren,
      ...(plan.one ? [{ $match: { 'mongovetChildren.1': { $exists: false } } }] : []),
      { $project: { embedded } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: { $cond: [{ $or: [isFree, isPart] }, '$$new.embedded', own] } } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const compared = parents.aggregate([
      { $match: { _id: { $in: ids } } },
      ofParent,
      hasChildren,
      { $project: { isSame: { $and: [
        { $eq: [own, embedded] },
        ...(plan.one ? [{ $eq: [{ $size: '$mongovetChildren' }, 1] }] : []),
      ] } } },
    ]).toArray();
    for (const parent of compared) {
      if (parent.isSame) moved += 1;
      else differing.push(parent._id);
    }
    print(`${moved} have their children, ${differing.length} differ`);
    ids = next(parents, {}, ids[ids.length - 1]);
  }
  // Children whose reference no parent answers stay where they are.
  const orphans = children.aggregate([
    { $lookup: {
      from: plan.parents,
      localField: plan.parentId,
      foreignField: plan.target,
      let: { parent: '$' + plan.parentId },
      pipeline: [
        { $match: { [plan.target]: { $ne: null }, $expr: { $and: isSame('$' + plan.target, '$$parent') } } },
        { $limit: 1 },
        { $project: { _id: 1 } },
      ],
      as: 'mongovetParents',
    } },
    { $match: { $or: [
      { 'mongovetParents.0': { $exists: false } },
      ...(plan.value === null ? [] : [{ [plan.value]: { $exists: false } }]),
    ] } },
    { $project: { _id: 1 } },
    { $limit: 100 },
  ]).toArray();
  printjson({ moved, differing: differing.slice(0, 100), orphans: orphans.map((child) => child._id), refused });
}
