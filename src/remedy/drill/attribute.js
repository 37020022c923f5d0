  const name = `${plan.path}.${plan.key}`;
  const set = (id, key, value) => {
    const changed = main.updateOne({ _id: id, [name]: key }, { $set: { [`${plan.path}.$.${plan.value}`]: value } });
    if (changed.matchedCount === 1) return;
    main.updateOne({ _id: id, [name]: { $ne: key } }, { $push: { [plan.path]: { [plan.key]: key, [plan.value]: value } } });
  };
  const list = (id) => at(main.findOne({ _id: id }), plan.path);
  const find = (key, value) => main.countDocuments({ [plan.path]: { $elemMatch: { [plan.key]: key, [plan.value]: value } } });
  for (const id of ['typical', 'outlier']) {
    main.insertOne({ _id: id });
    main.updateOne({ _id: id }, { $set: { [plan.path]: [] } });
  }
  set('typical', 'ram', 16);
  set('typical', 'colour', 'red');
  for (let number = 0; number < 100; number += 1) set('outlier', `key${number}`, number);
  check('a typical and a long list hold what was set', list('typical').length === 2 && list('outlier').length === 100);
  set('typical', 'ram', 32);
  check('a key that is set again stays one', list('typical').length === 2 && find('ram', 32) === 1 && find('ram', 16) === 0);
  set('typical', 'ram', '32 GB');
  check('a value of another type hides from typed searches', find('ram', 32) === 0);
  set('typical', 'ram', 32);
  check('key and value are searched together', find('colour', 32) === 0);
  main.updateOne({ _id: 'typical' }, { $pull: { [plan.path]: { [plan.key]: 'ram' } } });
  check('a key goes as a whole', list('typical').length === 1);
  const fields = Object.fromEntries(list('outlier').map((pair) => [pair[plan.key], pair[plan.value]]));
  check('a reader of the old version, of plain fields, can be served', Object.keys(fields).length === 100);
