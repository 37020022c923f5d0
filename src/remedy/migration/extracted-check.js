{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  HASH
  BATCHES
  RENAME
  const embedded = { children: 0, checksum: 0 };
  const apart = { children: 0, checksum: 0 };
  let dangling = 0;
  const reference = [above, plan.reference].filter(Boolean).join('.');
  const referring = { [reference]: { $exists: true } };
  const holding = { [`${plan.path}.${plan.key}`]: { $exists: true } };
  const pending = { $or: [holding, referring] };
  for (let ids = next(parents, pending); ids.length > 0; ids = next(parents, pending, ids[ids.length - 1])) {
    const batch = parents.aggregate([
      { $match: { _id: { $in: ids } } },
      ofKey(reference),
      { $project: { object, reference: '$' + reference, child: { $arrayElemAt: ['$mongovetSource.child', 0] } } },
    ]).toArray();
    // While a parent has its object, that is the truth; else the one that it names is.
    for (const parent of batch) {
      if (parent.object) add(embedded, [parent._id, parent.object]);
      else if (parent.child) add(apart, [parent._id, parent.child]);
      else dangling += 1;
    }
  }
  const total = { children: embedded.children + apart.children, checksum: (embedded.checksum + apart.checksum) % 2 ** 52 };
  printjson({ embedded, apart, total, dangling });
}
