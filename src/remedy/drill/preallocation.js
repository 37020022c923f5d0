  const places = Array.from({ length: plan.limit }, () => null);
  const fill = (id, value) => main.updateOne({ _id: id, [plan.path]: null }, { $set: { [`${plan.path}.$`]: value } });
  const used = (id) => at(main.findOne({ _id: id }), plan.path).filter((value) => value !== null).length;
  for (const id of ['typical', 'full']) {
    main.insertOne({ _id: id });
    main.updateOne({ _id: id }, { $set: { [plan.path]: places } });
  }
  for (let number = 1; number <= plan.typical; number += 1) fill('typical', number);
  check('a typical document uses some of its places', used('typical') === plan.typical);
  for (let number = 1; number <= plan.limit; number += 1) fill('full', number);
  check('all places can be filled', used('full') === plan.limit);
  check('one more finds no place', fill('full', plan.limit + 1).matchedCount === 0);
  main.updateOne({ _id: 'full', [plan.path]: 1 }, { $set: { [`${plan.path}.$`]: null } });
  check('a place that is given back can be filled again', fill('full', plan.limit + 1).matchedCount === 1);
  check('a reader that counts places reads more than are used', at(main.findOne({ _id: 'typical' }), plan.path).length >= used('typical'));
