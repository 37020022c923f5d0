{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const holders = database.getCollection(plan.holders);
  HASH
  BATCHES
  COPIES
  const [held, source] = [{ children: 0, checksum: 0 }, { children: 0, checksum: 0 }];
  let dangling = 0;
  const orNull = (values) => values.map((value) => ({ $ifNull: [value, null] }));
  const place = (base) => withSource(base, '$mongovetSources', {
    isReference: isReference(base),
    isFound,
    copies: orNull(copies(base)),
    fields: orNull(sourceFields),
  });
  const places = plan.array === null ? [place('$$ROOT')] : { $map: { input: isArray, as: 'place', in: place('$$place') } };
  const pending = { [reference]: { $exists: true } };
  for (let ids = next(holders, pending); ids.length > 0; ids = next(holders, pending, ids[ids.length - 1])) {
    for (const holder of holders.aggregate([{ $match: { _id: { $in: ids } } }, lookup, { $project: { places } }]).toArray()) {
      for (const [number, one] of holder.places.entries()) {
        if (one.isFound) {
          add(held, [holder._id, number, one.copies]);
          add(source, [holder._id, number, one.fields]);
        } else if (one.isReference) {
          dangling += 1;
        }
      }
    }
  }
  printjson({ copies: held, sources: source, isEqual: held.checksum === source.checksum, dangling });
}
