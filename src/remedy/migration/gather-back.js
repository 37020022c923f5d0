{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  BATCHES
  GATHER
  const unwound = plan.one ? [{ $match: { $expr: { $ne: ['$child', embedded] } } }] : [{ $set: { child: { $filter: {
    input: { $cond: [{ $isArray: ['$child'] }, '$child', []] },
    as: 'child',
    cond: { $not: [{ $in: ['$$child', values] }] },
  } } } }, { $unwind: '$child' }];
  const isNested = plan.parentId.includes('.');
  const first = Object.fromEntries(plan.before.map((name) => [name, '$child.' + name]));
  // A child that is still there and says the same is left alone; one that is gone or says less is made from its parent's.
  const restored = plan.value === null ? [
    { $match: { $expr: { $eq: [{ $type: '$child' }, 'object'] }, 'child._id': { $exists: true } } },
    ...(isNested
      ? [
        { $replaceWith: { $mergeObjects: ['$child', { mongovetKey: '$key' }] } },
        { $set: { [plan.parentId]: '$mongovetKey' } },
        { $unset: 'mongovetKey' },
      ]
      : [{ $replaceWith: { $mergeObjects: [{ _id: '$child._id', ...first, [plan.parentId]: '$key' }, '$child'] } }]),
    { $merge: {
      into: plan.children,
      on: '_id',
      // A child of another parent under the same key is left alone; the parent that holds it too then shows as differing.
      whenMatched: [{ $replaceWith: { $cond: [{ $eq: ['$' + plan.parentId, '$$new.' + plan.parentId] }, '$$new', '$$ROOT'] } }],
      whenNotMatched: 'insert',
    } },
  ] : [
    { $replaceWith: { [plan.parentId]: '$key', [plan.value]: '$child' } },
    { $merge: { into: plan.children, on: '_id', whenMatched: 'fail', whenNotMatched: 'insert' } },
  ];
  const pending = { [plan.path]: { $exists: true } };
  const differing = [];
  let moved = 0;
  for (let ids = next(parents, pending); ids.length > 0; ids = next(parents, pending, ids[ids.length - 1])) {
    parents.aggregate([
      { $match: { _id: { $in: ids }, $expr: isWithinObjects(plan.path) } },
      ofParent,
      { $project: { key: '$' + plan.target, child: own, mongovetChildren: 1 } },
      ...unwound,
      ...restored,
    ]).toArray();

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      ofParent,
      hasChildren,
      ...(plan.one ? [{ $match: { 'mongovetChildren.1': { $exists: false } } }] : []),
      { $match: { $expr: { $eq: [own, embedded] } } },
      { $project: { embedded: own } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: { $cond: [{ $eq: [own, '$$new.embedded'] }, '$$REMOVE', own] } } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of left) differing.push(parent._id);
    moved += ids.length - left.length;
    print(`${moved} moved back, ${differing.length} differ`);
  }
  printjson({ moved, differing: differing.slice(0, 100) });
}
