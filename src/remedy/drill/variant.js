  // A reader that knows two kinds must name a third and leave it alone, not fail on it.
  const known = ['old', 'new'];
  const read = (document) => (known.includes(at(document, plan.path)) ? 'read' : 'unknown');
  const make = (id, kind) => {
    main.insertOne({ _id: id });
    if (kind !== undefined) main.updateOne({ _id: id }, { $set: { [plan.path]: kind } });
  };
  for (let number = 0; number < 20; number += 1) make(number, number % 2 === 0 ? 'old' : 'new');
  const reads = main.find({}).toArray().map(read);
  check('both kinds are read', reads.every((one) => one === 'read'));
  make('future', 'later');
  make('nameless', undefined);
  const unknown = main.find({}).toArray().filter((document) => read(document) === 'unknown');
  check('a reader of the old version tells what it does not know', unknown.length === 2);
  const migrate = () => main.updateMany({ [plan.path]: 'old' }, { $set: { [plan.path]: 'new' } });
  check('the way in takes all of the old kind', migrate().matchedCount === 10);
  check('and again takes none', migrate().matchedCount === 0);
  main.updateMany({ [plan.path]: 'new', _id: { $in: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18] } }, { $set: { [plan.path]: 'old' } });
  check('the way back leads to what was', main.countDocuments({ [plan.path]: 'old' }) === 10);
  check('what it did not know is untouched', main.countDocuments({ [plan.path]: 'later' }) === 1);
