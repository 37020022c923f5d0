// A place is a document, or an element of the array, with a reference; what its source says stands beside it.
  const reference = plan.array === null ? plan.reference : `${plan.array}.${plan.reference}`;
  const beside = plan.reference.split('.').slice(0, -1);
  const nameAt = (base, name) => [base, ...beside, name].join('.');
  const lookup = { $lookup: {
    from: plan.sources,
    localField: reference,
    foreignField: plan.target,
    pipeline: [{ $project: {
      _id: 0,
      key: '$' + plan.target,
      ...Object.fromEntries(plan.fields.map(([field], at) => ['field' + at, '$' + field])),
    } }],
    as: 'mongovetSources',
  } };
  const withSource = (base, sources, expression) => ({ $let: {
    vars: { source: { $arrayElemAt: [{ $filter: {
      input: sources,
      as: 'source',
      cond: { $eq: ['$$source.key', `${base}.${plan.reference}`] },
    } }, 0] } },
    in: expression,
  } });
  const isFound = { $eq: [{ $type: '$$source' }, 'object'] };
  const isReference = (base) => ({ $not: [{ $in: [{ $type: `${base}.${plan.reference}` }, ['missing', 'undefined', 'null', 'array']] }] });
  const copies = (base) => plan.fields.map(([, name]) => nameAt(base, name));
  const sourceFields = plan.fields.map((_, at) => '$$source.field' + at);
  const array = '$' + plan.array;
  const isArray = { $cond: [{ $isArray: [array] }, array, []] };
  // What holds in one place of a holder, and what all its places are mapped to.
  const inAnyPlace = (condition) => (plan.array === null
    ? condition('$$ROOT')
    : { $anyElementTrue: [{ $map: { input: isArray, as: 'place', in: condition('$$place') } }] });
  const differs = (base) => withSource(base, '$mongovetSources', {
    $and: [isFound, { $or: copies(base).map((copy, at) => ({ $ne: [copy, sourceFields[at]] })) }],
  });
  const dangles = (base) => withSource(base, '$mongovetSources', { $and: [isReference(base), { $not: [isFound] }] });
  const compared = [lookup, { $project: { differs: inAnyPlace(differs), dangles: inAnyPlace(dangles) } }];
  // Each place is judged and written by the server in one step, on the document as it then is.
  const rewritten = (changed) => {
    const within = (base, [name, ...names]) => (name === undefined
      ? changed(base)
      : { $mergeObjects: [base, { [name]: within(`${base}.${name}`, names) }] });
    const place = (base) => withSource(base, '$$new.sources', {
      $cond: [{ $and: [isFound, isReference(base)] }, within(base, beside), base],
    });
    return plan.array === null
      ? { $replaceWith: place('$$ROOT') }
      : { $set: { [plan.array]: { $cond: [{ $isArray: [array] }, { $map: { input: array, as: 'place', in: place('$$place') } }, array] } } };
  };
  const rewrite = (ids, changed) => holders.aggregate([
    { $match: { _id: { $in: ids }, ...(plan.array === null ? {} : { $expr: isWithinObjects(plan.array) }) } },
    lookup,
    { $project: { sources: '$mongovetSources' } },
    { $merge: { into: plan.holders, on: '_id', whenMatched: [rewritten(changed)], whenNotMatched: 'discard' } },
  ]).toArray();
