{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  const array = '$' + plan.path;
  const pending = plan.subset ? { [plan.path]: { $type: 'array' } } : { [plan.path + '.0']: { $exists: true } };
  const copies = [
    { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] }, [plan.place]: { $exists: true } } },
    { $sort: { [plan.place]: 1 } },
    { $unset: plan.added },
  ];
  const newest = plan.subset && [
    { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } },
    { $sort: Object.fromEntries(plan.subset.sort) },
    { $limit: plan.subset.newest },
    { $unset: [plan.parentId, plan.place] },
  ];
  const lookup = (pipeline, as) => ({ $lookup: { from: plan.children, let: { parent: '$_id' }, pipeline, as } });
  // Only a parent whose array is still the one that was compared changes its form.
  const ifSame = (changed, path) => ({ $cond: [{ $eq: [array, '$$new.array'] }, changed, '$' + path] });

  for (const key of plan.indexes) children.createIndex(Object.fromEntries(key));
  const onPlace = { [plan.parentId]: 1, [plan.place]: 1 };
  if (!plan.ownId && parents.findOne(pending, { _id: 1 })) {
    children.createIndex(onPlace, { unique: true, name: 'migration' });
  }

  const differing = [];
  let moved = 0;
  let last;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find({ ...pending, ...after }, { _id: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    const ids = batch.map((parent) => parent._id);
    last = ids[ids.length - 1];

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $unwind: { path: array, includeArrayIndex: 'mongovetPlace' } },
      { $replaceWith: { $mergeObjects: [array, { [plan.parentId]: '$_id', [plan.place]: { $toInt: '$mongovetPlace' } }] } },
      { $merge: {
        into: plan.children,
        on: plan.ownId ? '_id' : [plan.parentId, plan.place],
        // A child of another parent under the same key is left alone; its parent then shows as differing.
        whenMatched: [{ $replaceWith: { $cond: [
          { $eq: ['$' + plan.parentId, '$$new.' + plan.parentId] },
          { $mergeObjects: [{ _id: '$_id' }, '$$new'] },
          '$$ROOT',
        ] } }],
        whenNotMatched: 'insert',
      } },
    ]).toArray();

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      lookup(copies, 'mongovetCopies'),
      { $match: { $expr: { $eq: [array, '$mongovetCopies'] } } },
      ...(newest ? [lookup(newest, 'mongovetNewest')] : []),
      { $project: { array, ...(newest ? { newest: '$mongovetNewest' } : {}) } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: {
          [plan.path]: ifSame('$$REMOVE', plan.path),
          ...(newest ? { [plan.subset.field]: ifSame('$$new.newest', plan.subset.field) } : {}),
          ...(newest && plan.subset.count ? { [plan.subset.count]: ifSame({ $size: '$$new.array' }, plan.subset.count) } : {}),
        } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of left) differing.push(parent._id);
    moved += ids.length - left.length;
    print(`${moved} moved, ${differing.length} differ`);
  }
  if (differing.length === 0 && !plan.ownId && children.getIndexes().some((index) => index.name === 'migration')) {
    children.dropIndex('migration');
  }
  printjson({ moved, differing: differing.slice(0, 100) });
}
