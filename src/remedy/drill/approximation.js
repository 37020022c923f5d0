  // Events are counted in memory and written many at once; a crash loses less than one batch.
  const batch = 50;
  let waiting = 0;
  let writes = 0;
  const flush = () => {
    if (waiting === 0) return;
    main.updateOne({ _id: 'one' }, { $inc: { [plan.path]: waiting } });
    writes += 1;
    waiting = 0;
  };
  const event = () => {
    waiting += 1;
    if (waiting === batch) flush();
  };
  const stored = () => at(main.findOne({ _id: 'one' }), plan.path);
  main.insertOne({ _id: 'one' });
  main.updateOne({ _id: 'one' }, { $set: { [plan.path]: 0 } });
  for (let number = 0; number < 1020; number += 1) event();
  check('far fewer writes than events', writes === 20);
  check('the estimate is less than a batch behind', 1020 - stored() < batch && stored() <= 1020);
  waiting = 0;
  check('a crash loses less than a batch', 1020 - stored() < batch);
  for (let time = 0; time < 2; time += 1) main.updateOne({ _id: 'one' }, { $set: { [plan.path]: 1020 } });
  check('a recount heals it, and again changes nothing', stored() === 1020);
  check('a reader of the old version reads a number as before', typeof stored() === 'number');
