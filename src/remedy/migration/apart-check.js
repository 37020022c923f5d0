{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  HASH
  const embedded = { children: 0, checksum: 0 };
  const apart = { children: 0, checksum: 0 };
  let ofParents = 0;
  let last;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find(after, { [plan.path]: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    const ids = batch.map((parent) => parent._id);
    last = ids[ids.length - 1];

    // While a parent has its array, that is the truth; else its children apart are.
    const moved = [];
    for (const parent of batch) {
      const array = plan.path.split('.').reduce((value, name) => value?.[name], parent);
      if (Array.isArray(array) && array.length > 0) {
        for (const [place, child] of array.entries()) add(embedded, [parent._id, place, child]);
      } else {
        moved.push(parent._id);
      }
    }
    for (const child of children.find({ [plan.parentId]: { $in: moved } }).toArray()) {
      const key = [child[plan.parentId], child[plan.place] ?? null];
      for (const name of plan.added) delete child[name];
      add(apart, [...key, child]);
    }
    ofParents += children.countDocuments({ [plan.parentId]: { $in: ids } });
  }
  const orphans = children.countDocuments({}) - ofParents;
  const total = { children: embedded.children + apart.children, checksum: (embedded.checksum + apart.checksum) % 2 ** 52 };
  printjson({ embedded, apart, total, orphans });
}
