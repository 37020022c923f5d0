{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  BATCHES
  RENAME
  const key = `${object}.${plan.key}`;
  const pending = { [`${plan.path}.${plan.key}`]: { $exists: true } };
  const isObject = { $and: [
    isWithinObjects(plan.path),
    { $eq: [{ $type: object }, 'object'] },
    isKey(key),
    ...(plan.key === '_id' ? [] : [{ $eq: [{ $type: object + '._id' }, 'missing'] }]),
  ] };
  // Equal is what has the same fields in the same order, of the same types, whatever the collation of the collection.
  const written = { $map: { input: { $objectToArray: object }, as: 'field', in: {
    name: '$$field.k',
    value: '$$field.v',
    type: { $type: '$$field.v' },
    text: { $cond: [{ $eq: [{ $type: '$$field.v' }, 'decimal'] }, { $toString: '$$field.v' }, ''] },
  } } };

  // Copies that differ under one key need a decision first: which of them is right?
  const contradicting = parents.aggregate([
    { $match: { ...pending, $expr: isObject } },
    { $group: { _id: key, copies: { $addToSet: written } } },
    { $match: { 'copies.1': { $exists: true } } },
    { $project: { copies: { $size: '$copies' } } },
    { $limit: 100 },
  ], { allowDiskUse: true, collation: { locale: 'simple' } }).toArray();
  if (contradicting.length > 0) print('copies of one key differ; nothing was changed');

  const isOnlyOne = { $and: [plan.reference, ...plan.fields.map(([, name]) => name)]
    .map((name) => ({ $eq: [{ $type: sibling(name) }, 'missing'] })) };
  const referring = replaceEntries({ $cond: [
    { $eq: ['$$this.k', { $literal: leaf }] },
    { $concatArrays: [entry(plan.reference, key), ...plan.fields.map(([field, name]) => entry(name, `${object}.${field}`))] },
    ['$$this'],
  ] });
  const differing = [];
  let moved = 0;
  let ids = contradicting.length > 0 ? [] : next(parents, pending);
  while (ids.length > 0) {
    parents.aggregate([
      { $match: { _id: { $in: ids }, $expr: isObject } },
      { $replaceWith: plan.key === '_id' ? object : { $mergeObjects: [{ _id: key }, object] } },
      { $merge: { into: plan.children, on: '_id', whenMatched: 'keepExisting', whenNotMatched: 'insert' } },
    ]).toArray();

    parents.aggregate([
      { $match: { _id: { $in: ids }, $expr: isObject } },
      ofKey(`${plan.path}.${plan.key}`),
      { $match: { $expr: { $eq: [object, { $arrayElemAt: ['$mongovetSource.child', 0] }] } } },
      { $project: { object } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [onlyIf({ $and: [{ $eq: [object, '$$new.object'] }, isOnlyOne] }, referring)],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of left) differing.push(parent._id);
    moved += ids.length - left.length;
    print(`${moved} moved, ${differing.length} differ`);
    ids = next(parents, pending, ids[ids.length - 1]);
  }
  const keyless = parents.countDocuments({ [plan.path]: { $type: 'object' }, [`${plan.path}.${plan.key}`]: { $exists: false } });
  printjson({ moved, differing: differing.slice(0, 100), keyless, contradicting });
}
