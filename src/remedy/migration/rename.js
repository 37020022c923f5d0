// The object's place among its siblings is kept: its entry is replaced where it stands.
  const names = plan.path.split('.');
  const leaf = names[names.length - 1];
  const above = names.slice(0, -1).join('.');
  const container = above === '' ? '$$ROOT' : '$' + above;
  const sibling = (name) => `${container}.${name}`;
  const object = '$' + plan.path;
  const isKey = (value) => ({ $not: [{ $in: [{ $type: value }, ['missing', 'undefined', 'null', 'array', 'object', 'regex']] }] });
  // A field of a document is no field where it is missing.
  const entry = (name, value) => ({ $cond: [{ $eq: [{ $type: value }, 'missing'] }, [], [{ k: { $literal: name }, v: value }]] });
  const replaceEntries = (changed) => ({ $arrayToObject: { $reduce: {
    input: { $objectToArray: container },
    initialValue: [],
    in: { $concatArrays: ['$$value', changed] },
  } } });
  const onlyIf = (condition, changed) => (above === ''
    ? { $replaceWith: { $cond: [condition, changed, '$$ROOT'] } }
    : { $set: { [above]: { $cond: [condition, changed, container] } } });
  const ofKey = (localField) => ({ $lookup: {
    from: plan.children,
    localField,
    foreignField: '_id',
    pipeline: [{ $project: { key: '$_id', child: '$$ROOT' } }, ...(plan.key === '_id' ? [] : [{ $unset: 'child._id' }])],
    as: 'mongovetSource',
  } });
