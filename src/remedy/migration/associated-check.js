{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const owners = database.getCollection(plan.owners);
  const links = database.getCollection(plan.links);
  HASH
  BATCHES
  const listed = { children: 0, checksum: 0 };
  const linked = { children: 0, checksum: 0 };
  let ofOwners = 0;
  for (let ids = next(owners, {}); ids.length > 0; ids = next(owners, {}, ids[ids.length - 1])) {
    const inside = new Set();
    for (const owner of owners.find({ _id: { $in: ids } }, { [plan.path]: 1 }).toArray()) {
      const array = plan.path.split('.').reduce((value, name) => value?.[name], owner);
      for (const other of Array.isArray(array) ? array : []) {
        add(listed, [owner._id, other]);
        inside.add(EJSON.stringify([owner._id, other], { relaxed: false }));
      }
    }
    // A link that is listed still counts there.
    for (const link of links.find({ [plan.ownerRef]: { $in: ids } }).toArray()) {
      const pair = [link[plan.ownerRef], link[plan.otherRef]];
      if (!inside.has(EJSON.stringify(pair, { relaxed: false }))) add(linked, pair);
      ofOwners += 1;
    }
  }
  const total = { children: listed.children + linked.children, checksum: (listed.checksum + linked.checksum) % 2 ** 52 };
  printjson({ listed, linked, total, orphans: links.countDocuments({}) - ofOwners });
}
