// Orders and what is shown of them: the part of the shop's server that talks to the database.
import { MongoClient, ObjectId } from 'mongodb';

const shop = new MongoClient(process.env.MONGODB_URI).db('shop');
const orders = shop.collection('orders');
const customers = shop.collection('customers');
const products = shop.collection('products');
const posts = shop.collection('posts');

/** The list in the warehouse: what is paid, dearest first, each with the name of its customer. */
export async function toPack() {
  const paid = await orders.find({ status: 'paid', placedAt: { $gte: new Date(Date.now() - 7 * 86_400_000) } }).sort({ total: -1 }).limit(50).toArray();
  for (const order of paid) {
    order.customer = await customers.findOne({ _id: order.customerId });
  }
  return paid;
}

/** What the search box finds. */
export function search(text) {
  return products.find({ name: { $regex: String(text) } }).limit(20).toArray();
}

/** Orders of one customer, newest first. */
export function ordersOf(customerId) {
  return orders.find({ customerId: new ObjectId(customerId) }).sort({ placedAt: -1 }).limit(20).toArray();
}

/** A reader's comment. */
export function comment(slug, by, text) {
  return posts.updateOne({ slug: String(slug) }, { $push: { comments: { _id: new ObjectId(), by: String(by), text: String(text), at: new Date() } } });
}

/** What each product brought in this year. */
export function turnover(from) {
  return orders
    .aggregate([
      { $unwind: '$items' },
      { $match: { placedAt: { $gte: new Date(from) } } },
      { $group: { _id: '$items.sku', sold: { $sum: '$items.quantity' } } },
    ])
    .toArray();
}
