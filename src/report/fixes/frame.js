(() => {
  // CHOICE
  const apply = [];
  const find = (collection, name) => collection.getIndexes().find((index) => index.name === name);
  const isSame = (index, key, options) => [
    [index.key, key],
    ...['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression', 'collation'].map((name) => [index[name], options[name]]),
  ].every(([left, right]) => EJSON.stringify({ value: left }) === EJSON.stringify({ value: right }));
  // An index goes only while it is there, and never where it is already the one that takes its place.
  const drop = (collection, name, replacement) => {
    const index = find(collection, name);
    if (index && !(replacement && isSame(index, ...replacement))) collection.dropIndex(name);
  };
  const hide = (collection, name) => {
    const index = find(collection, name);
    if (index && !index.hidden) collection.hideIndex(name);
  };
  const steps = [
STEPS  ];
  for (const step of steps) {
    const runs = apply.includes(step.safety);
    print((runs ? RUNS : WOULD_RUN) + ' [' + step.safety + '] ' + step.cures.join('\n    '));
    if (runs) step.run();
  }
})();
