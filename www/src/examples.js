// @ts-check
/** Models to start from. They are made here from a few lines each, the same every time, as mongosh would print them. */

/** @typedef {{id: string, title: Record<string, string>, about: Record<string, string>, make: () => import('./share.js').SharedBlock[], config?: string}} Example */

/** @type {Example[]} */
export const EXAMPLES = [
  {
    id: 'blog',
    title: { en: 'Posts that embed their comments', es: 'Entradas con los comentarios dentro' },
    about: {
      en: 'Arrays that grow for ever, the size they reach, and the decision: embed or reference?',
      es: 'Arrays que crecen sin fin, el tamaño que alcanzan y la decisión: ¿incrustar o referenciar?',
    },
    make: blog,
  },
  {
    id: 'shop',
    title: { en: 'A shop after three years', es: 'Una tienda tres años después' },
    about: {
      en: 'Money as doubles, dates as strings, a field renamed halfway, and a validator that disagrees.',
      es: 'Dinero en coma flotante, fechas como texto, un campo renombrado a medias y un validador que no concuerda.',
    },
    make: shop,
  },
  {
    id: 'indexes',
    title: { en: 'Nothing but getIndexes()', es: 'Solo getIndexes()' },
    about: {
      en: 'What the list of indexes alone gives away: duplicates, prefixes, a TTL that the server refuses.',
      es: 'Lo que delata la sola lista de índices: duplicados, prefijos, un TTL que el servidor rechaza.',
    },
    make: indexes,
  },
  {
    id: 'meters',
    title: { en: 'Values as keys', es: 'Valores como claves' },
    about: {
      en: 'Readings stored under their day and device: why no index can reach them.',
      es: 'Lecturas guardadas bajo su día y dispositivo: por qué ningún índice las alcanza.',
    },
    make: meters,
  },
  {
    id: 'validator',
    title: { en: 'A validator before it is switched on', es: 'Un validador antes de activarlo' },
    about: {
      en: 'Words that the server refuses, clauses that nothing can meet, and the documents that fail already.',
      es: 'Palabras que el servidor rechaza, cláusulas que nada cumple y los documentos que ya fallan.',
    },
    make: validator,
  },
  {
    id: 'tidy',
    title: { en: 'A model with nothing to say about', es: 'Un modelo del que no hay nada que decir' },
    about: {
      en: 'Typed, bounded, validated: what silence looks like.',
      es: 'Con tipos, límites y validador: así es el silencio.',
    },
    make: tidy,
  },
];

/** @param {Example} example @returns {import('./share.js').SharedState} */
export const exampleState = ({ make, config = '' }) => ({ blocks: make(), config });

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 6, 8);
const NAMES = ['Ada', 'Bruno', 'Chidi', 'Dolores', 'Emre', 'Fatima', 'Goran', 'Hana', 'Inés', 'Jonas', 'Kaya', 'Luis'];
const WORDS = ['index', 'shard', 'latency', 'schema', 'backup', 'release', 'cache', 'query', 'cluster', 'report', 'budget', 'team'];

/** @param {number} at milliseconds @param {number} n */
const oid = (at, n) => `ObjectId("${Math.floor(at / 1000).toString(16)}5f1e7a0c3d${n.toString(16).padStart(6, '0')}")`;
/** @param {number} at */
const iso = (at) => `ISODate("${new Date(at).toISOString()}")`;
/** A number below a bound in no order, the same every time. @param {number} n @param {number} bound */
const any = (n, bound) => (Math.imul(n + 11, 2_654_435_761) >>> 8) % bound;
/** @template T @param {T[]} list @param {number} n */
const pick = (list, n) => list[any(n, list.length)];
/** @param {number} count @param {(n: number) => string} one */
const lines = (count, one) => Array.from({ length: count }, (_, n) => one(n)).join('\n');
/** @param {number} count @param {(n: number) => string} one */
const list = (count, one) => `[${Array.from({ length: count }, (_, n) => one(n)).join(', ')}]`;
/** @param {string} name @param {Partial<import('./share.js').SharedBlock>} texts */
const block = (name, { documents = '', indexes = '', validator = '' }) => ({ name, documents, indexes, validator });

function blog() {
  const end = START + 300 * DAY;
  const post = (/** @type {number} */ n) => {
    const at = START + n * 3 * DAY;
    // The older a post, the more comments it has had time for; one was linked from everywhere.
    const comments = n === 7 ? 460 : Math.floor((end - at) / DAY / 6) + any(n, 5);
    const comment = (/** @type {number} */ c) => {
      const then = at + ((end - at) * (c + 1)) / (comments + 1);
      return `{_id: ${oid(then, 4096 * n + c)}, author: "${pick(NAMES, n + c)}", at: ${iso(then)}, text: "${pick(WORDS, c)} and ${pick(WORDS, n * c + 3)}, again"}`;
    };
    return `{_id: ${oid(at, n)}, slug: "${pick(WORDS, n)}-${n}", title: "On ${pick(WORDS, n)}", publishedAt: ${iso(at)}, tags: ["${pick(WORDS, n)}", "${pick(WORDS, n + 1)}"], comments: ${list(comments, comment)}}`;
  };
  return [
    block('blog.posts', {
      documents: lines(90, post),
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { slug: 1 }, name: "slug_1", unique: true },
  { v: 2, key: { "comments.author": 1 }, name: "comments.author_1" }
]`,
    }),
  ];
}

function shop() {
  const order = (/** @type {number} */ n) => {
    const at = START + n * 0.7 * DAY;
    const item = (/** @type {number} */ i) => {
      const price = 5 + any(n + i, 90) + 0.99;
      return `{sku: "P-${1000 + any(n * 7 + i, 40)}", name: "${pick(WORDS, n + i)} mug", price: ${price.toFixed(2)}, quantity: ${1 + any(i, 3)}}`;
    };
    const count = 1 + any(n, 4);
    const total = (20 + any(n, 180) + 0.95).toFixed(2);
    const customer = n < 140 ? 'customerId' : 'customerID';
    const status = pick(['paid', 'sent', 'returned'], n);
    return `{_id: ${oid(at, n)}, ${customer}: ${oid(START, any(n, 60))}, status: "${status}", orderDate: "${new Date(at).toISOString()}", total: ${n % 9 === 4 ? `"${total}"` : total}, items: ${list(count, item)}, coupon: ${n % 3 === 0 ? 'null' : '""'}}`;
  };
  const customer = (/** @type {number} */ n) =>
    `{_id: ${oid(START, n)}, name: "${pick(NAMES, n)} ${pick(NAMES, n + 5)}", email: "${pick(NAMES, n).toLowerCase()}${n}@example.org", active: "${n % 4 === 0 ? 'false' : 'true'}", created_at: ${iso(START + n * DAY)}${n % 2 === 0 ? `, lastOrder: ${iso(START + 200 * DAY)}` : ''}}`;
  return [
    block('shop.orders', {
      documents: lines(240, order),
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { status: 1 }, name: "status_1" },
  { v: 2, key: { status: 1, orderDate: -1 }, name: "status_1_orderDate_-1" },
  { v: 2, key: { custmerId: 1 }, name: "custmerId_1" }
]`,
      validator: `{
  $jsonSchema: {
    bsonType: "object",
    required: ["customerId", "status", "total"],
    properties: {
      customerId: { bsonType: "objectId" },
      status: { enum: ["paid", "sent"] },
      total: { bsonType: "decimal" },
      items: { bsonType: "array" }
    }
  }
}`,
    }),
    block('shop.customers', {
      documents: lines(60, customer),
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { email: 1 }, name: "email_1", unique: true }
]`,
    }),
  ];
}

function indexes() {
  return [
    block('app.sessions', {
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { userId: 1 }, name: "userId_1" },
  { v: 2, key: { userId: 1, lastSeen: -1 }, name: "userId_1_lastSeen_-1" },
  { v: 2, key: { lastSeen: 1, userId: 1 }, name: "expiry", expireAfterSeconds: 3600 },
  { v: 2, key: { token: 1 }, name: "token_1", unique: true },
  { v: 2, key: { token: -1 }, name: "token_-1" },
  { v: 2, key: { device: 1 }, name: "device_1", sparse: true }
]`,
    }),
    block('app.articles', {
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { _fts: "text", _ftsx: 1 }, name: "title_text", weights: { title: 1 }, default_language: "english", language_override: "language", textIndexVersion: 3 },
  { v: 2, key: { tags: 1, state: 1 }, name: "tags_1_state_1", partialFilterExpression: { state: { $ne: "draft" } } },
  { v: 2, key: { "$**": 1 }, name: "all" }
]`,
    }),
  ];
}

function meters() {
  const meter = (/** @type {number} */ n) => {
    const day = (/** @type {number} */ d) => new Date(START + (n + d) * DAY).toISOString().slice(0, 10);
    const days = Array.from({ length: 6 + any(n, 6) }, (_, d) => `"${day(d)}": {low: ${10 + any(d, 9)}, high: ${21 + any(n + d, 14)}}`);
    const months = Array.from({ length: 12 }, (_, m) => `{month: ${m + 1}, sum: ${m < 4 ? any(n + m, 400) : 'null'}}`);
    return `{_id: "meter-${n.toString().padStart(3, '0')}", site: "${pick(NAMES, n)}", readings: {${days.join(', ')}}, year: [${months.join(', ')}]}`;
  };
  return [block('iot.meters', { documents: lines(80, meter) })];
}

function validator() {
  const visit = (/** @type {number} */ n) => {
    const at = START + n * 0.5 * DAY;
    const fee = n % 4 === 1 ? `NumberInt(${30 + any(n, 50)})` : `${30 + any(n, 50)}.5`;
    const notes = list(any(n, 4), (i) => `"${pick(WORDS, n + i)} checked"`);
    return `{_id: ${oid(at, n)}, patient: ${oid(START, any(n, 70))}, day: ${iso(at)}, status: "${pick(['booked', 'seen', 'seen', 'cancelled'], n)}", fee: ${fee}, minutes: NumberInt(${10 + 5 * any(n, 6)}), notes: ${notes}}`;
  };
  return [
    block('clinic.visits', {
      documents: lines(180, visit),
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { patient: 1, day: -1 }, name: "patient_1_day_-1" }
]`,
      validator: `{
  $jsonSchema: {
    bsonType: "object",
    additionalProperties: false,
    required: ["patient", "day", "room", "status", "fee"],
    properties: {
      patient: { bsonType: "objectId" },
      day: { bsonType: "date", format: "date-time" },
      status: { enum: ["booked", "seen"] },
      fee: { bsonType: "double", minimum: 0 },
      minutes: { type: "integer" },
      notes: { bsonType: "array", items: { bsonType: "string" } }
    }
  }
}`,
    }),
  ];
}

function tidy() {
  const task = (/** @type {number} */ n) =>
    `{_id: ${oid(START + n * DAY, n)}, title: "Review ${pick(WORDS, n)}", owner: "${pick(NAMES, n)}", done: ${n % 3 === 0}, dueOn: ${iso(START + (n + 14) * DAY)}, labels: ["${pick(WORDS, n)}"]}`;
  return [
    block('work.tasks', {
      documents: lines(120, task),
      indexes: `[
  { v: 2, key: { _id: 1 }, name: "_id_" },
  { v: 2, key: { owner: 1, dueOn: 1 }, name: "owner_1_dueOn_1" }
]`,
      validator: `{
  $jsonSchema: {
    bsonType: "object",
    required: ["_id", "title", "owner", "done", "dueOn", "labels"],
    additionalProperties: false,
    properties: {
      _id: { bsonType: "objectId" },
      title: { bsonType: "string", maxLength: 200 },
      owner: { bsonType: "string", maxLength: 80 },
      done: { bsonType: "bool" },
      dueOn: { bsonType: "date" },
      labels: { bsonType: "array", maxItems: 10, items: { bsonType: "string", maxLength: 40 } }
    }
  }
}`,
    }),
  ];
}
