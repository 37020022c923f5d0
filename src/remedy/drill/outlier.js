  const full = `${plan.path}.${plan.limit - 1}`;
  const add = (id, element) => {
    const inside = main.updateOne({ _id: id, [full]: { $exists: false } }, { $push: { [plan.path]: element } });
    if (inside.matchedCount === 1) return;
    other.insertOne({ parent: id, element });
    main.updateOne({ _id: id }, { $set: { [plan.flag]: true } });
  };
  const take = (id) => {
    const extra = other.find({ parent: id }).sort({ element: 1 }).limit(1).toArray();
    main.updateOne({ _id: id }, { $pop: { [plan.path]: -1 } });
    if (extra.length === 0) return;
    main.updateOne({ _id: id }, { $push: { [plan.path]: extra[0].element } });
    other.deleteOne({ _id: extra[0]._id });
    if (other.countDocuments({ parent: id }) === 0) main.updateOne({ _id: id }, { $unset: { [plan.flag]: 1 } });
  };
  const inside = (id) => at(main.findOne({ _id: id }), plan.path).length;
  const marked = (id) => at(main.findOne({ _id: id }), plan.flag) === true;
  const all = (id) => inside(id) + (marked(id) ? other.countDocuments({ parent: id }) : 0);
  for (const id of ['typical', 'outlier']) {
    main.insertOne({ _id: id });
    main.updateOne({ _id: id }, { $set: { [plan.path]: [] } });
  }
  for (let number = 0; number < plan.typical; number += 1) add('typical', number);
  check('a typical document is whole and not marked', all('typical') === plan.typical && !marked('typical'));
  for (let number = 0; number < plan.limit; number += 1) add('outlier', number);
  check('at the limit nothing overflows', inside('outlier') === plan.limit && !marked('outlier'));
  for (let number = plan.limit; number < plan.limit + 3; number += 1) add('outlier', number);
  check('beyond it the document stays and is marked', inside('outlier') === plan.limit && marked('outlier'));
  check('a reader of both parts sees all', all('outlier') === plan.limit + 3);
  check('a reader of the old version sees the first part only', inside('outlier') < all('outlier'));
  for (let number = 0; number < 3; number += 1) take('outlier');
  check('back at the limit the mark is gone', !marked('outlier') && inside('outlier') === plan.limit);
  check('nothing is left in the overflow', other.countDocuments({}) === 0);
