// An order-free sum of hashes over the canonical Extended JSON of each child.
  const hash = (text) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at += 1) {
      a = Math.imul(a ^ text.charCodeAt(at), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(at), 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return (b & 0xfffff) * 2 ** 32 + (a >>> 0);
  };
  const add = (total, child) => {
    total.children += 1;
    total.checksum = (total.checksum + hash(EJSON.stringify(child, { relaxed: false }))) % 2 ** 52;
  };
