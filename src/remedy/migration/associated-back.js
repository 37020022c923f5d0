{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const owners = database.getCollection(plan.owners);
  const links = database.getCollection(plan.links);
  BATCHES
  const array = '$' + plan.path;
  const here = { $cond: [{ $isArray: [array] }, array, []] };
  const inOrder = [
    { $match: { $expr: { $eq: ['$' + plan.ownerRef, '$$owner'] } } },
    // What came after the migration has no place and goes last.
    { $set: { mongovetOrder: { $ifNull: ['$' + plan.place, 2147483647] } } },
    { $sort: { mongovetOrder: 1, _id: 1 } },
    // A link that says more than its two references is no element of an array.
    { $project: { other: '$' + plan.otherRef, fields: { $size: { $objectToArray: { $mergeObjects: ['$$ROOT', { [plan.place]: 0 }] } } } } },
    { $match: { fields: 5 } },
  ];
  const ofOwner = { $lookup: {
    from: plan.links,
    localField: '_id',
    foreignField: plan.ownerRef,
    let: { owner: '$_id' },
    pipeline: inOrder,
    as: 'mongovetLinks',
  } };
  for (let ids = next(owners, {}); ids.length > 0; ids = next(owners, {}, ids[ids.length - 1])) {
    const inBatch = { $match: { _id: { $in: ids }, $expr: isWithinObjects(plan.path) } };
    owners.aggregate([
      inBatch,
      ofOwner,
      { $project: { array, here, missing: { $filter: {
        input: '$mongovetLinks.other',
        as: 'other',
        cond: { $not: [{ $in: ['$$other', here] }] },
      } } } },
      { $match: { 'missing.0': { $exists: true } } },
      { $project: { array: 1, list: { $concatArrays: ['$missing', '$here'] } } },
      { $merge: {
        into: plan.owners,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: { $cond: [{ $eq: [array, '$$new.array'] }, '$$new.list', array] } } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    // A link goes once it is listed.
    const listed = owners.aggregate([
      inBatch,
      ofOwner,
      { $project: { links: { $filter: { input: '$mongovetLinks', as: 'link', cond: { $in: ['$$link.other', here] } } } } },
      { $project: { links: '$links._id' } },
    ]).toArray().flatMap((owner) => owner.links);
    links.deleteMany({ _id: { $in: listed } });
  }
  printjson({ left: links.countDocuments({}) });
}
