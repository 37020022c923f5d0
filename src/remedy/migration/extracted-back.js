{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  BATCHES
  RENAME
  const reference = [above, plan.reference].filter(Boolean).join('.');
  const pending = { [reference]: { $exists: true }, [plan.path]: { $exists: false } };
  const child = { $arrayElemAt: ['$mongovetSource.child', 0] };
  // A copy beside the reference that says something else than its source is nowhere else: such a parent stays as it is.
  const areCopies = plan.fields.map(([field, name]) => ({ $eq: [sibling(name), '$$child.' + field] }));
  const copies = { $literal: plan.fields.map(([, name]) => name) };
  const holding = replaceEntries({ $switch: { branches: [
    { case: { $eq: ['$$this.k', { $literal: plan.reference }] }, then: [{ k: { $literal: leaf }, v: '$$new.child' }] },
    { case: { $in: ['$$this.k', copies] }, then: [] },
  ], default: ['$$this'] } });
  const differing = [];
  let moved = 0;
  for (let ids = next(parents, pending); ids.length > 0; ids = next(parents, pending, ids[ids.length - 1])) {
    parents.aggregate([
      { $match: { _id: { $in: ids }, $expr: { $and: [isWithinObjects(plan.path), isKey('$' + reference)] } } },
      ofKey(reference),
      { $match: { 'mongovetSource.0': { $exists: true } } },
      { $project: { reference: '$' + reference, child } },
      { $merge: {
        into: plan.parents,
        on: '_id',
        whenMatched: [onlyIf(
          { $let: { vars: { child: '$$new.child' }, in: { $and: [
            { $eq: ['$' + reference, '$$new.reference'] },
            { $eq: [{ $type: object }, 'missing'] },
            ...areCopies,
          ] } } },
          holding,
        )],
        whenNotMatched: 'discard',
      } },
    ]).toArray();

    const left = parents.find({ _id: { $in: ids }, ...pending }, { _id: 1 }).toArray();
    for (const parent of left) differing.push(parent._id);
    moved += ids.length - left.length;
    print(`${moved} moved back, ${differing.length} differ`);
  }
  printjson({ moved, differing: differing.slice(0, 100) });
}
