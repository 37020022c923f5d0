// The keys of the documents that come next, in the server's own order of all types.
  const next = (collection, pending, last) => {
    const after = last === undefined ? {} : { $expr: { $gt: ['$_id', { $literal: last }] } };
    const found = collection.find({ ...pending, ...after }, { _id: 1 }).sort({ _id: 1 }).limit(plan.batch).toArray();
    return found.map((document) => document._id);
  };
  // A path is written only where all that it goes through are objects: elsewhere the write would replace what is there.
  const isWithinObjects = (path) => {
    const through = path.split('.').slice(0, -1).map((_, at, names) => '$' + names.slice(0, at + 1).join('.'));
    return { $and: through.map((above) => ({ $eq: [{ $type: above }, 'object'] })) };
  };
  // The lookups need an index that starts with their field.
  const startWith = (collection, field) => {
    const starts = collection.getIndexes().some((index) => Object.keys(index.key)[0] === field);
    if (!starts) collection.createIndex({ [field]: 1 });
  };
