// A child belongs to the parent whose key its reference equals, in type too: only then can it get the same one back.
  const own = '$' + plan.path;
  const isSame = (one, other) => [{ $eq: [one, other] }, { $eq: [{ $type: one }, { $type: other }] }];
  const lookup = (pipeline) => ({ $lookup: {
    from: plan.children,
    localField: plan.target,
    foreignField: plan.parentId,
    let: { parent: '$' + plan.target },
    pipeline: [
      { $match: { [plan.parentId]: { $ne: null }, $expr: { $and: isSame('$' + plan.parentId, '$$parent') } } },
      ...(plan.value === null ? [] : [{ $match: { [plan.value]: { $exists: true } } }]),
      { $sort: Object.fromEntries(plan.sort) },
      ...pipeline,
    ],
    as: 'mongovetChildren',
  } });
  const ofParent = lookup(plan.value === null ? [{ $unset: plan.parentId }] : []);
  const hasChildren = { $match: { 'mongovetChildren.0': { $exists: true } } };
  const values = plan.value === null ? '$mongovetChildren' : '$mongovetChildren.' + plan.value;
  const embedded = plan.one ? { $arrayElemAt: [values, 0] } : values;
