{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const overflow = database.getCollection(plan.overflow);
  const array = '$' + plan.path;
  // A parent that is marked has its overflow already; what is pushed to it afterwards belongs on its last page.
  const pending = { [`${plan.path}.${plan.cap}`]: { $exists: true }, [plan.flag]: { $ne: true } };
  const ifSame = (changed, path) => ({ $cond: [{ $eq: [array, '$$new.array'] }, changed, '$' + path] });
  overflow.createIndex({ [plan.parentId]: 1, page: 1 }, { unique: true });

  const differing = [];
  let split = 0;
  let last;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find({ ...pending, ...after }, { _id: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    const ids = batch.map((parent) => parent._id);
    last = ids[ids.length - 1];

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $project: { mongovetPage: { $map: {
        input: { $range: [plan.cap, { $size: array }, plan.page] },
        as: 'from',
        in: {
          number: { $toInt: { $divide: [{ $subtract: ['$$from', plan.cap] }, plan.page] } },
          part: { $slice: [array, '$$from', plan.page] },
        },
      } } } },
      { $unwind: '$mongovetPage' },
      { $replaceWith: { [plan.parentId]: '$_id', page: '$mongovetPage.number', [plan.leaf]: '$mongovetPage.part' } },
      { $merge: {
        into: plan.overflow,
        on: [plan.parentId, 'page'],
        whenMatched: [{ $replaceWith: { $mergeObjects: [{ _id: '$_id' }, '$$new'] } }],
        whenNotMatched: 'insert',
      } },
    ]).toArray();

    parents.aggregate([
      { $match: { _id: { $in: ids } } },
      { $lookup: {
        from: plan.overflow,
        let: { parent: '$_id' },
        pipeline: [{ $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } }, { $sort: { page: 1 } }],
        as: 'mongovetPages',
      } },
      { $match: { $expr: { $eq: [array, { $reduce: {
        input: '$mongovetPages',
        initialValue: { $slice: [array, plan.cap] },
        in: { $concatArrays: ['$$value', '$$this.' + plan.leaf] },
      } }] } } },
      { $project: { array } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: {
          [plan.path]: ifSame({ $slice: [array, plan.cap] }, plan.path),
          [plan.flag]: ifSame(true, plan.flag),
        } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of left) differing.push(parent._id);
    split += ids.length - left.length;
    print(`${split} split, ${differing.length} differ`);
  }
  printjson({ split, differing: differing.slice(0, 100) });
}
