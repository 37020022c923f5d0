  const order = plan.descending ? -1 : 1;
  const rank = (number) => (plan.descending ? number : -number);
  const parent = 'one';
  const push = (child) => main.updateOne(
    { _id: parent },
    { $push: { [plan.path]: { $each: [child], $sort: { [plan.order]: order }, $slice: plan.limit } } },
  );
  const add = (number) => {
    const child = { _id: number, [plan.order]: rank(number) };
    other.insertOne({ ...child, [plan.reference]: parent });
    push(child);
  };
  const expected = () => other.find({ [plan.reference]: parent }).sort({ [plan.order]: order }).limit(plan.limit).toArray();
  const shown = () => at(main.findOne({ _id: parent }), plan.path);
  const agrees = () => {
    const want = expected().map((child) => child._id);
    const have = shown().map((child) => child._id);
    return want.length === have.length && want.every((id, place) => id === have[place]);
  };
  main.insertOne({ _id: parent });
  main.updateOne({ _id: parent }, { $set: { [plan.path]: [] } });
  for (let number = 1; number <= plan.typical; number += 1) add(number * 10);
  check('a typical subset holds all of the few', agrees());
  for (let number = plan.typical + 1; number <= plan.limit + 2; number += 1) add(number * 10);
  check('crossing the limit drops the last', shown().length === plan.limit && agrees());
  add(5);
  check('one that comes late and ranks low stays out', agrees());

  // Propagation breaks: a child is written and the subset forgets it; the comparison finds it and the repair heals it.
  other.insertOne({ _id: 9000, [plan.order]: rank(9000), [plan.reference]: parent });
  check('the comparison finds a stale subset', !agrees());
  const rebuilt = expected().map((child) => ({ _id: child._id, [plan.order]: child[plan.order] }));
  main.updateOne({ _id: parent }, { $set: { [plan.path]: rebuilt } });
  check('the repair heals it, and again changes nothing', agrees());

  // Back below the limit.
  other.deleteMany({ _id: { $gt: 10 } });
  const fewer = expected().map((child) => ({ _id: child._id, [plan.order]: child[plan.order] }));
  main.updateOne({ _id: parent }, { $set: { [plan.path]: fewer } });
  check('after deletions the subset is all of the few again', agrees() && shown().length < Math.max(plan.limit, 3));
  check('a reader of the full set is not cut', other.countDocuments({ [plan.reference]: parent }) === 2);
