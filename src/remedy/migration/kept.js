// What is kept of the children, made anew of all of them.
  const ofParent = { $match: { $expr: { $eq: ['$' + plan.parentId, '$$parent'] } } };
  const lookup = (pipeline, as) => ({ $lookup: {
    from: plan.children, let: { parent: '$' + plan.target }, pipeline: [ofParent, ...pipeline], as,
  } });
  const made = [
    ...(plan.field === null ? [] : [lookup([
      { $sort: Object.fromEntries(plan.sort) }, { $limit: plan.newest }, { $unset: plan.parentId },
    ], 'mongovetNewest')]),
    lookup([{ $count: 'children' }], 'mongovetCounted'),
    { $set: { mongovetCount: { $ifNull: [{ $arrayElemAt: ['$mongovetCounted.children', 0] }, 0] } } },
  ];
  const values = (from) => ({
    ...(plan.field === null ? {} : { [plan.field]: from + 'mongovetNewest' }),
    [plan.count]: from + 'mongovetCount',
  });
