{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  BATCHES
  const array = '$' + plan.path;
  const pending = { [plan.path + '.0']: { $exists: true } };
  const inBatch = (ids) => ({ $match: { _id: { $in: ids }, $expr: isWithinObjects(plan.path) } });

  // A child that is listed twice would need two references: it stays where it is until somebody says whose it is.
  const conflicting = parents.aggregate([
    { $match: pending },
    { $unwind: array },
    { $group: { _id: array, times: { $sum: 1 } } },
    { $match: { times: { $gt: 1 } } },
    { $lookup: { from: plan.children, localField: '_id', foreignField: '_id', pipeline: [{ $project: { _id: 1 } }], as: 'children' } },
    { $match: { 'children.0': { $exists: true } } },
    { $limit: 1001 },
    { $project: { _id: 1 } },
  ], { allowDiskUse: true }).toArray().map((child) => child._id);
  const isTooMuch = conflicting.length > 1000;
  if (isTooMuch) print('more than 1000 children are listed twice: this is no list of own children; nothing was changed');
  else startWith(children, plan.parentId);

  const isFree = { $and: [
    { $eq: [{ $type: '$_id' }, { $type: '$$new._id' }] },
    { $or: [{ $eq: [{ $type: '$' + plan.parentId }, 'missing'] }, { $eq: ['$' + plan.parentId, '$$new.parent'] }] },
  ] };
  const ifFree = (value, path) => ({ $cond: [isFree, value, '$' + path] });
  const elements = (places) => ({ $map: { input: places, as: 'place', in: { $arrayElemAt: [array, '$$place'] } } });
  let moved = 0;
  const left = [];
  let ids = isTooMuch ? [] : next(parents, pending);
  while (ids.length > 0) {
    parents.aggregate([
      inBatch(ids),
      { $unwind: { path: array, includeArrayIndex: 'mongovetPlace' } },
      { $match: { $expr: { $and: [
        { $not: [{ $in: [array, { $literal: conflicting }] }] },
        { $not: [{ $in: [{ $type: array }, ['missing', 'undefined', 'null', 'array']] }] },
      ] } } },
      { $replaceWith: { _id: array, parent: '$_id', place: { $toInt: '$mongovetPlace' } } },
      { $merge: {
        into: plan.children,
        on: '_id',
        whenMatched: [{ $set: {
          [plan.parentId]: ifFree('$$new.parent', plan.parentId),
          [plan.place]: ifFree('$$new.place', plan.place),
        } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    // Only what its child says as well leaves the array.
    parents.aggregate([
      inBatch(ids),
      { $lookup: {
        from: plan.children,
        localField: plan.path,
        foreignField: '_id',
        let: { parent: '$_id' },
        pipeline: [
          { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } },
          { $project: { place: '$' + plan.place } },
        ],
        as: 'mongovetMoved',
      } },
      { $match: { 'mongovetMoved.0': { $exists: true } } },
      { $project: { array, rest: elements({ $filter: {
        input: { $range: [0, { $size: array }] },
        as: 'place',
        cond: { $not: [{ $in: [{ _id: { $arrayElemAt: [array, '$$place'] }, place: '$$place' }, '$mongovetMoved'] }] },
      } }) } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: { $cond: [{ $eq: [array, '$$new.array'] }, '$$new.rest', array] } } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const kept = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of kept) left.push(parent._id);
    moved += ids.length - kept.length;
    print(`${moved} moved, ${left.length} keep some`);
    ids = next(parents, pending, ids[ids.length - 1]);
  }
  const dangling = parents.aggregate([
    { $match: pending },
    { $unwind: array },
    { $lookup: { from: plan.children, localField: plan.path, foreignField: '_id', pipeline: [{ $project: { _id: 1 } }], as: 'mongovetChildren' } },
    { $match: { 'mongovetChildren.0': { $exists: false } } },
    { $project: { child: array } },
    { $limit: 100 },
  ]).toArray();
  printjson({ moved, left: left.slice(0, 100), conflicting: conflicting.slice(0, 100), dangling });
}
