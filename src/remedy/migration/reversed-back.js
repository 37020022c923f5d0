{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  BATCHES
  const array = '$' + plan.path;
  const here = { $cond: [{ $isArray: [array] }, array, []] };
  const rest = (list) => ({ $slice: [list, 1, { $max: [1, { $size: list }] }] });
  const isPlaced = { $in: [{ $type: '$$child.place' }, ['int', 'long', 'double']] };
  const only = (input, cond) => ({ $filter: { input, as: 'child', cond } });
  const moved = only('$mongovetMoved', { $not: [{ $in: ['$$child._id', here] }] });
  // Those that moved stand at their places again, those that stayed fill the gaps; what came since goes last.
  const woven = { $reduce: {
    input: { $range: [0, { $add: [{ $size: here }, { $ifNull: [{ $max: '$$placed.place' }, -1] }, 1] }] },
    initialValue: { done: [], rest: here },
    in: { $let: {
      vars: { placed: only('$$placed', { $eq: ['$$child.place', '$$this'] }) },
      in: { $cond: [
        { $gt: [{ $size: '$$placed' }, 0] },
        { done: { $concatArrays: ['$$value.done', '$$placed._id'] }, rest: '$$value.rest' },
        { done: { $concatArrays: ['$$value.done', { $slice: ['$$value.rest', 1] }] }, rest: rest('$$value.rest') },
      ] },
    } },
  } };
  const list = { $let: {
    vars: { placed: only(moved, isPlaced), late: only(moved, { $not: [isPlaced] }) },
    in: { $let: { vars: { woven }, in: { $concatArrays: ['$$woven.done', '$$late._id'] } } },
  } };
  let seen = 0;
  for (let ids = next(parents, {}); ids.length > 0; ids = next(parents, {}, ids[ids.length - 1])) {
    const inBatch = { $match: { _id: { $in: ids }, $expr: isWithinObjects(plan.path) } };
    parents.aggregate([
      inBatch,
      { $lookup: {
        from: plan.children,
        localField: '_id',
        foreignField: plan.parentId,
        let: { parent: '$_id' },
        pipeline: [
          { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } },
          { $sort: { [plan.place]: 1, _id: 1 } },
          { $project: { place: '$' + plan.place } },
        ],
        as: 'mongovetMoved',
      } },
      { $match: { 'mongovetMoved.0': { $exists: true } } },
      { $project: { array, list } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [{ $set: { [plan.path]: { $cond: [{ $eq: [array, '$$new.array'] }, '$$new.list', array] } } }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    // A child loses its reference once it is listed.
    parents.aggregate([
      inBatch,
      { $unwind: array },
      { $match: { $expr: { $not: [{ $in: [{ $type: array }, ['missing', 'undefined', 'null', 'array']] }] } } },
      { $replaceWith: { _id: array, parent: '$_id' } },
      { $merge: {
        into: plan.children,
        on: '_id',
        whenMatched: [{ $set: Object.fromEntries([plan.parentId, plan.place].map((name) => (
          [name, { $cond: [{ $eq: ['$' + plan.parentId, '$$new.parent'] }, '$$REMOVE', '$' + name] }]
        ))) }],
        whenNotMatched: 'discard',
      } },
    ]).toArray();
    seen += ids.length;
    print(`${seen} looked at`);
  }
  printjson({ left: children.countDocuments({ [plan.parentId]: { $exists: true } }) });
}
