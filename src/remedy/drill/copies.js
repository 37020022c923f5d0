  // The source carries a version; each change reaches only copies of an earlier one.
  const version = `${plan.owner}Version`;
  const propagate = (value, number) =>
    main.updateMany({ [plan.path]: 'source', [version]: { $lt: number } }, { $set: { [plan.copy]: value, [version]: number } });
  const differing = () => main.countDocuments({ [plan.path]: 'source', [plan.copy]: { $ne: other.findOne({ _id: 'source' }).value } });
  other.insertOne({ _id: 'source', value: 'first', version: 1 });
  for (let number = 0; number < 30; number += 1) {
    main.insertOne({ _id: number });
    main.updateOne({ _id: number }, { $set: { [plan.path]: 'source', [plan.copy]: 'first', [version]: 1 } });
  }
  check('all copies are right at first', differing() === 0);
  other.updateOne({ _id: 'source' }, { $set: { value: 'second', version: 2 } });
  check('until the change has arrived the comparison counts the lag', differing() === 30);
  check('the change reaches every copy', propagate('second', 2).matchedCount === 30 && differing() === 0);
  check('the same change again touches none', propagate('second', 2).matchedCount === 0);
  other.updateOne({ _id: 'source' }, { $set: { value: 'third', version: 3 } });
  propagate('third', 3);
  check('an older change that comes late is left out', propagate('second', 2).matchedCount === 0 && differing() === 0);
  other.deleteOne({ _id: 'source' });
  check('a copy outlives its source until a policy says otherwise', main.countDocuments({ [plan.copy]: 'third' }) === 30);
  check('a reader of the old version still finds the reference', main.countDocuments({ [plan.path]: 'source' }) === 30);
