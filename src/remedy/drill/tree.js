  const isList = plan.kind === 'ancestors';
  const above = (id) => at(main.findOne({ _id: id }), plan.path);
  const hang = (id, parent) => {
    const list = parent === null ? [] : [...(above(parent) || []), parent];
    main.updateOne({ _id: id }, { $set: { [plan.path]: isList ? list : parent } });
  };
  const grow = (id, parent) => {
    main.insertOne({ _id: id });
    hang(id, parent);
  };
  main.createIndex({ [plan.path]: 1 });
  grow('root', null);
  for (let number = 0; number < 10; number += 1) grow(`branch${number}`, 'root');
  for (let number = 0; number < 10; number += 1) grow(`leaf${number}`, `branch${number % 2}`);
  const below = (id) => main.find({ [plan.path]: id }).toArray().map((node) => node._id);
  check('the nodes below are found by one query a step', below('branch0').length === 5);
  check('all below the root are found', below('root').length === (isList ? 20 : 10));

  // A branch moves: with lists of ancestors every node below it must be written too.
  const moved = below('branch0');
  hang('branch0', 'branch1');
  if (isList) for (const id of moved) hang(id, 'branch0');
  check('a branch that moved takes all below with it', below('branch1').length === (isList ? 11 : 6));
  const would = (id, parent) => id === parent || (isList ? (above(parent) || []).includes(id) : above(parent) === id);
  check('a move below itself is seen before it is written', would('branch1', 'branch0'));
  main.deleteOne({ _id: 'branch1' });
  const lost = below('branch1').length;
  check('what hangs on a deleted node is found', lost > 0);
  for (const id of below('branch1')) hang(id, 'root');
  check('and hangs on the root after the repair', below('branch1').length === 0 || isList);
  check('a reader of the old version walks node by node', below('root').length > 10);
