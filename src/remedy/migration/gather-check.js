{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  HASH
  BATCHES
  GATHER
  const together = { children: 0, checksum: 0 };
  const apart = { children: 0, checksum: 0 };
  let ofParents = 0;
  const listed = (value) => (Array.isArray(value) ? value : plan.one && value !== undefined && value !== null ? [value] : []);
  for (let ids = next(parents, {}); ids.length > 0; ids = next(parents, {}, ids[ids.length - 1])) {
    const batch = parents.aggregate([
      { $match: { _id: { $in: ids } } },
      ofParent,
      { $project: { key: '$' + plan.target, own, apart: embedded, count: { $size: '$mongovetChildren' } } },
    ]).toArray();
    // While a parent has its children in it, those are the truth; else those apart are.
    for (const parent of batch) {
      const inside = listed(parent.own);
      for (const [place, child] of inside.entries()) add(together, [parent.key, place, child]);
      if (inside.length === 0) {
        for (const [place, child] of listed(parent.apart).entries()) add(apart, [parent.key, place, child]);
      }
      ofParents += parent.count;
    }
  }
  const total = { children: together.children + apart.children, checksum: (together.checksum + apart.checksum) % 2 ** 52 };
  printjson({ together, apart, total, orphans: children.countDocuments({}) - ofParents });
}
