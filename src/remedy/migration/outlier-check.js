{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const overflow = database.getCollection(plan.overflow);
  HASH
  const embedded = { children: 0, checksum: 0 };
  const apart = { children: 0, checksum: 0 };
  const unmarked = [];
  let last;
  for (;;) {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const batch = parents.find(after, { [plan.path]: 1, [plan.flag]: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    if (batch.length === 0) break;
    last = batch[batch.length - 1]._id;
    for (const parent of batch) {
      const at = (path) => path.split('.').reduce((value, name) => value?.[name], parent);
      const array = at(plan.path);
      let place = 0;
      for (const child of Array.isArray(array) ? array : []) add(embedded, [parent._id, place++, child]);
      if (at(plan.flag) === true) {
        const pages = overflow.find({ [plan.parentId]: parent._id }).sort({ page: 1 }).toArray();
        if (pages.length === 0) unmarked.push(parent._id);
        for (const page of pages) for (const child of page[plan.leaf]) add(apart, [parent._id, place++, child]);
      }
    }
  }
  const total = { children: embedded.children + apart.children, checksum: (embedded.checksum + apart.checksum) % 2 ** 52 };
  printjson({ embedded, apart, total, markedWithoutPages: unmarked.slice(0, 100) });
}
