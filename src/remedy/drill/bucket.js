  // The write that the pattern needs: the limit in the filter, the count beside the push, a new bucket when all are full.
  const full = `${plan.path}.${plan.limit - 1}`;
  const store = (event) => main.updateOne(
    { [plan.owner]: 'one', [full]: { $exists: false } },
    { $push: { [plan.path]: event }, $inc: { [plan.count]: 1 } },
    { upsert: true },
  );
  const lengths = (documents) => documents.map((document) => at(document, plan.path).length);
  const total = (documents) => lengths(documents).reduce((sum, length) => sum + length, 0);
  const events = plan.limit * 2 + 1;
  for (let number = 0; number < plan.typical; number += 1) store({ number });
  check('a typical bucket is one document', main.countDocuments({}) === 1);
  for (let number = plan.typical; number < events; number += 1) store({ number });
  let all = main.find({}).toArray();
  check('no bucket passes the limit', Math.max(...lengths(all)) === plan.limit);
  check('crossing the limit opens a bucket', all.length === 3);
  check('no event is lost', total(all) === events);
  check('each count is the number of events', all.every((document) => at(document, plan.count) === at(document, plan.path).length));

  // Back: a full bucket that loses an event takes the next one.
  const first = all.find((document) => at(document, plan.path).length === plan.limit);
  main.deleteMany({ _id: { $ne: first._id } });
  main.updateOne({ _id: first._id }, { $pop: { [plan.path]: 1 }, $inc: { [plan.count]: -1 } });
  store({ number: events });
  check('a bucket that lost an event takes another', main.countDocuments({}) === 1);
  // An event that comes again is told by its own key, which the filter excludes.
  const once = (event) => main.updateOne(
    { _id: first._id, [`${plan.path}.number`]: { $ne: event.number } },
    { $push: { [plan.path]: event }, $inc: { [plan.count]: 1 } },
  );
  const retried = once({ number: events });
  check('a retry stores nothing twice', retried.matchedCount === 0);
  all = main.find({}).toArray();
  check('a reader of single events sees as many', total(all) === all.reduce((sum, document) => sum + at(document, plan.count), 0));
