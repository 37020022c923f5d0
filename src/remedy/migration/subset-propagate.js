{
  const plan = PLAN;
  const database = plan.database === null ? db : db.getSiblingDB(plan.database);
  const parents = database.getCollection(plan.parents);
  const children = database.getCollection(plan.children);
  const { field, countField, newest } = plan.subset;
  const sort = Object.fromEntries(plan.subset.sort);
  const inSubset = (child) => Object.fromEntries(Object.entries(child).filter(([name]) => name !== plan.parentId && name !== plan.place));
  const ofCopies = Object.fromEntries(plan.subset.sort.filter(([name]) => name !== plan.place));

  const added = (child) => {
    children.insertOne(child);
    parents.updateOne({ _id: child[plan.parentId] }, {
      $push: { [field]: Object.keys(ofCopies).length > 0
        ? { $each: [inSubset(child)], $sort: ofCopies, $slice: newest }
        : { $each: [inSubset(child)], $position: 0, $slice: newest } },
      $inc: { [countField]: 1 },
    });
  };
  const changed = (parent, _id, fields) => {
    children.updateOne({ _id }, { $set: fields });
    const copied = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${field}.$[copy].${name}`, value]));
    parents.updateOne({ _id: parent }, { $set: copied }, { arrayFilters: [{ 'copy._id': _id }] });
  };
  const deleted = (parent, _id) => {
    children.deleteOne({ _id });
    const left = children.find({ [plan.parentId]: parent }, { [plan.parentId]: 0, [plan.place]: 0 }).sort(sort).limit(newest).toArray();
    parents.updateOne({ _id: parent }, { $set: { [field]: left }, $inc: { [countField]: -1 } });
  };
  ({ added, changed, deleted });
}
