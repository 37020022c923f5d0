  // Each event counts once: its own key is the lock.
  const apply = (event, amount) => {
    try {
      other.insertOne({ _id: event, parent: 'one', amount });
    } catch (error) {
      if (!refused(error)) throw error;
      return;
    }
    main.updateOne({ _id: 'one' }, { $inc: { [plan.path]: amount } });
  };
  const computed = () => other.find({ parent: 'one' }).toArray().reduce((sum, event) => sum + event.amount, 0);
  const stored = () => at(main.findOne({ _id: 'one' }), plan.path);
  main.insertOne({ _id: 'one' });
  main.updateOne({ _id: 'one' }, { $set: { [plan.path]: 0 } });
  for (let number = 1; number <= 20; number += 1) apply(number, 1);
  check('the stored number is what its source gives', stored() === computed());
  apply(7, 1);
  check('an event that comes twice counts once', stored() === 20 && computed() === 20);
  other.deleteOne({ _id: 7 });
  main.updateOne({ _id: 'one', [plan.path]: { $gt: 0 } }, { $inc: { [plan.path]: -1 } });
  check('a deletion is counted', stored() === computed());

  // The worker stops between the two writes: the comparison finds it, the repair writes what the source gives.
  other.insertOne({ _id: 21, parent: 'one', amount: 1 });
  check('the comparison finds what a crash forgot', stored() !== computed());
  for (let time = 0; time < 2; time += 1) main.updateOne({ _id: 'one' }, { $set: { [plan.path]: computed() } });
  check('the repair heals it, and again changes nothing', stored() === computed());
  main.updateOne({ _id: 'one' }, { $set: { [plan.path]: 0 } });
  const lowered = main.updateOne({ _id: 'one', [plan.path]: { $gt: 0 } }, { $inc: { [plan.path]: -1 } });
  check('the number never falls below zero', lowered.matchedCount === 0);
  check('a reader of the old version, which adds up itself, needs no stored number', computed() === 20);
