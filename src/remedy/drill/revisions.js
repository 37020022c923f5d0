  // The state of before is kept first; the number in the filter lets one of two writers through.
  other.createIndex({ document: 1, number: 1 }, { unique: true });
  const write = (id, number, value) => {
    const before = main.findOne({ _id: id });
    try {
      other.insertOne({ document: id, number, value: before.value });
    } catch (error) {
      if (!refused(error)) throw error;
    }
    return main.updateOne({ _id: id, [plan.path]: number }, { $set: { value, [plan.path]: number + 1 } }).matchedCount === 1;
  };
  main.insertOne({ _id: 'one', value: 'first' });
  main.updateOne({ _id: 'one' }, { $set: { [plan.path]: 1 } });
  check('a change raises the number', write('one', 1, 'second') && at(main.findOne({ _id: 'one' }), plan.path) === 2);
  check('a second writer of the same number is refused', !write('one', 1, 'other'));
  check('and leaves one revision', other.countDocuments({ document: 'one', number: 1 }) === 1);
  for (let number = 2; number < 52; number += 1) write('one', number, `state ${number}`);
  check('many revisions leave the document small', other.countDocuments({ document: 'one' }) === 51);
  const earlier = other.findOne({ document: 'one', number: 2 });
  check('an earlier state comes back as a new one', write('one', 52, earlier.value) && main.findOne({ _id: 'one' }).value === 'second');
  check('no revision is newer than the document', other.countDocuments({ document: 'one', number: { $gte: 53 } }) === 0);
  check('a reader of the old version reads the current state alone', main.countDocuments({}) === 1);
