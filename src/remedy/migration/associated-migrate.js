{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const owners = database.getCollection(plan.owners);
  const links = database.getCollection(plan.links);
  BATCHES
  const array = '$' + plan.path;
  const pending = { [plan.path + '.0']: { $exists: true } };
  // A list that names one thing twice, or nothing, has no equal among unique links: it stays and is listed.
  const isNothing = { $in: [{ $type: '$$other' }, ['missing', 'undefined', 'null', 'array']] };
  const isSet = { $cond: [
    { $isArray: [array] },
    { $and: [
      { $eq: [{ $size: { $setUnion: [array, []] } }, { $size: array }] },
      { $not: [{ $anyElementTrue: [{ $map: { input: array, as: 'other', in: isNothing } }] }] },
    ] },
    false,
  ] };
  links.createIndex({ [plan.ownerRef]: 1, [plan.otherRef]: 1 }, { unique: true });
  links.createIndex({ [plan.otherRef]: 1, [plan.ownerRef]: 1 });

  const differing = [];
  let moved = 0;
  for (let ids = next(owners, pending); ids.length > 0; ids = next(owners, pending, ids[ids.length - 1])) {
    const inBatch = { $match: { _id: { $in: ids }, $expr: { $and: [isWithinObjects(plan.path), isSet] } } };
    owners.aggregate([
      inBatch,
      { $unwind: { path: array, includeArrayIndex: 'mongovetPlace' } },
      { $replaceWith: { [plan.ownerRef]: '$_id', [plan.otherRef]: array, [plan.place]: { $toInt: '$mongovetPlace' } } },
      { $merge: {
        into: plan.links,
        on: [plan.ownerRef, plan.otherRef],
        whenMatched: [{ $set: { [plan.place]: '$$new.' + plan.place } }],
        whenNotMatched: 'insert',
      } },
    ]).toArray();

    // The array is emptied, not removed: so it keeps its place in the document for the way back.
    owners.aggregate([
      inBatch,
      { $lookup: {
        from: plan.links,
        localField: '_id',
        foreignField: plan.ownerRef,
        let: { owner: '$_id' },
        pipeline: [
          { $match: { $expr: { $eq: ['$' + plan.ownerRef, '$$owner'] }, [plan.place]: { $exists: true } } },
          { $sort: { [plan.place]: 1 } },
          { $project: { _id: 0, other: '$' + plan.otherRef } },
        ],
        as: 'mongovetLinks',
      } },
      { $match: { $expr: { $eq: [array, '$mongovetLinks.other'] } } },
      { $project: { array } },
      { $merge: {
        into: plan.owners,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: { $cond: [{ $eq: [array, '$$new.array'] }, [], array] } } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = owners.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const owner of left) differing.push(owner._id);
    moved += ids.length - left.length;
    print(`${moved} moved, ${differing.length} differ`);
  }
  printjson({ moved, differing: differing.slice(0, 100) });
}
