{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  HASH
  BATCHES
  const listed = { children: 0, checksum: 0 };
  const referring = { children: 0, checksum: 0 };
  let ofParents = 0;
  for (let ids = next(parents, {}); ids.length > 0; ids = next(parents, {}, ids[ids.length - 1])) {
    const inside = new Set();
    for (const parent of parents.find({ _id: { $in: ids } }, { [plan.path]: 1 }).toArray()) {
      const array = plan.path.split('.').reduce((value, name) => value?.[name], parent);
      for (const child of Array.isArray(array) ? array : []) {
        add(listed, [parent._id, child]);
        inside.add(EJSON.stringify([parent._id, child], { relaxed: false }));
      }
    }
    // A child that is listed still counts there.
    for (const child of children.find({ [plan.parentId]: { $in: ids } }, { [plan.parentId]: 1 }).toArray()) {
      const pair = [plan.parentId.split('.').reduce((value, name) => value?.[name], child), child._id];
      if (!inside.has(EJSON.stringify(pair, { relaxed: false }))) add(referring, pair);
      ofParents += 1;
    }
  }
  const total = { children: listed.children + referring.children, checksum: (listed.checksum + referring.checksum) % 2 ** 52 };
  printjson({ listed, referring, total, orphans: children.countDocuments({ [plan.parentId]: { $exists: true } }) - ofParents });
}
