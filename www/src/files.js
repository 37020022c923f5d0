// @ts-check
/** What was dropped: files, and folders with all that lies in them. */

/** More files than this are a home folder that slipped, not a dump. */
const FILE_LIMIT = 2000;

/**
 * The dropped files, those of a folder named from the folder on, as in `dump/shop/orders.bson`.
 * @param {DataTransfer} transfer
 * @returns {Promise<import('./evidence.js').GivenFile[]>}
 */
export async function dropped(transfer) {
  // The entries must be taken at once: the transfer is empty after the first wait.
  const entries = [...transfer.items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  /** @type {import('./evidence.js').GivenFile[]} */
  const files = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push({ name: entry.name, file: entry });
    else if (entry) await walk(entry, '', files);
  }
  return files;
}

/**
 * @param {FileSystemEntry} entry
 * @param {string} folder
 * @param {import('./evidence.js').GivenFile[]} files
 */
async function walk(entry, folder, files) {
  if (FILE_LIMIT <= files.length || (folder !== '' && (entry.name.startsWith('.') || entry.name === 'node_modules'))) return;
  const name = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    files.push({ name, file });
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const child of some) await walk(child, `${name}/`, files);
  }
}
