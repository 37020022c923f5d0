{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const holders = database.getCollection(plan.holders);
  const sources = database.getCollection(plan.sources);
  const reference = plan.array === null ? plan.reference : `${plan.array}.${plan.reference}`;
  const beside = plan.reference.split('.').slice(0, -1);
  const place = plan.array === null ? beside : [plan.array, '$[copy]', ...beside];
  const ofKey = (key) => (plan.array === null ? {} : { arrayFilters: [{ [`copy.${plan.reference}`]: key }] });

  // `fields` has the new values by the source's paths; one that is undefined goes from the source and from the copies.
  const changed = (key, fields) => {
    const write = (names, isCopy) => {
      const update = {};
      for (const [field, name] of names) {
        const operator = fields[field] === undefined ? '$unset' : '$set';
        update[operator] = { ...update[operator], [isCopy ? [...place, name].join('.') : field]: fields[field] ?? null };
      }
      return update;
    };
    const names = Object.keys(fields).map((field) => [field, field]);
    sources.updateOne({ [plan.target]: key }, write(names, false));
    const copied = plan.fields.filter(([field]) => Object.hasOwn(fields, field));
    if (copied.length > 0) holders.updateMany({ [reference]: key }, write(copied, true), ofKey(key));
  };
  ({ changed });
}
