{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  HASH
  const embedded = { children: 0, checksum: 0 };
  const apart = { children: 0, checksum: 0 };
  let dangling = 0;
  let last;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find(after, { [plan.path]: 1, [plan.childIds]: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    last = batch[batch.length - 1]._id;
    const at = (parent, path) => path.split('.').reduce((value, name) => value?.[name], parent);
    const named = new Map();
    const ids = batch.flatMap((parent) => at(parent, plan.childIds) ?? []);
    for (const child of children.find({ _id: { $in: ids } }).toArray()) {
      named.set(EJSON.stringify(child._id, { relaxed: false }), child);
      if (plan.key !== '_id') delete child._id;
    }
    for (const parent of batch) {
      for (const [place, child] of (at(parent, plan.path) ?? []).entries()) add(embedded, [parent._id, place, child]);
      for (const [place, id] of (at(parent, plan.childIds) ?? []).entries()) {
        const child = named.get(EJSON.stringify(id, { relaxed: false }));
        if (child === undefined) dangling += 1;
        else add(apart, [parent._id, place, child]);
      }
    }
  }
  const total = { children: embedded.children + apart.children, checksum: (embedded.checksum + apart.checksum) % 2 ** 52 };
  printjson({ embedded, apart, total, dangling });
}
