/**
 * Contents of a disk with a database and its log, by the system calls of the processes that wrote
 * them. As on Linux, a failed fsync leaves pages clean that never reached the disk: later calls
 * succeed and do not write them any more.
 */

const pageBytes = 4096;

type Bytes = Buffer<ArrayBufferLike>;

/** A file as processes see it, and as it is on the disk. */
interface ModelFile {
  seen: Bytes;
  disk: Bytes;
  dirty: Set<number>;
}

export class PageCache {
  /**
   * Files that a name has stood for since its folder was last synced, the newest last; undefined
   * for no file.
   */
  private readonly names = new Map<string, (ModelFile | undefined)[]>();

  constructor(
    files: Iterable<readonly [name: string, content: Buffer]>,
    private readonly random: () => number,
  ) {
    for (const [name, content] of files)
      this.names.set(name, [
        { seen: Buffer.from(content), disk: Buffer.from(content), dirty: new Set() },
      ]);
  }

  create(name: string) {
    if (!this.find(name))
      this.history(name).push({ seen: Buffer.alloc(0), disk: Buffer.alloc(0), dirty: new Set() });
  }

  unlink(name: string) {
    if (this.find(name)) this.history(name).push(undefined);
  }

  write(name: string, bytes: Buffer, position: number) {
    const file = this.load(name);
    file.seen = resized(file.seen, Math.max(file.seen.length, position + bytes.length));
    bytes.copy(file.seen, position);
    const last = Math.floor((position + bytes.length - 1) / pageBytes);
    for (let page = Math.floor(position / pageBytes); page <= last; page += 1) file.dirty.add(page);
  }

  truncate(name: string, sizeBytes: number) {
    const file = this.load(name);
    file.seen = resized(file.seen, sizeBytes);
    for (const page of file.dirty) if (page * pageBytes >= sizeBytes) file.dirty.delete(page);
  }

  sync(name: string) {
    const file = this.load(name);
    store(file, file.dirty);
    file.disk = resized(file.disk, file.seen.length);
    file.dirty.clear();
  }

  /** Some pages have arrived; of all of them it is forgotten that they must be written. */
  failSync(name: string) {
    const file = this.load(name);
    store(file, this.some(file.dirty));
    file.dirty.clear();
  }

  syncFolder() {
    for (const history of this.names.values()) history.splice(0, history.length - 1);
  }

  /** Contents of the disk when the power is cut now: some of what was not synced may be. */
  image(): Map<string, Bytes> {
    const files = new Map<string, Bytes>();
    for (const [name, history] of this.names) {
      const file = history[Math.floor(this.random() * history.length)];
      if (!file) continue;
      const copy: Pick<ModelFile, "seen" | "disk"> = {
        seen: file.seen,
        disk: Buffer.from(file.disk),
      };
      store(copy, this.some(file.dirty));
      if (this.random() < 1 / 2) copy.disk = resized(copy.disk, file.seen.length);
      files.set(name, copy.disk);
    }
    return files;
  }

  private *some(pages: Iterable<number>) {
    const share = this.random();
    for (const page of pages) if (this.random() < share) yield page;
  }

  private history(name: string) {
    const history = this.names.get(name) ?? [undefined];
    this.names.set(name, history);
    return history;
  }

  private find = (name: string) => this.history(name).at(-1);

  private load(name: string): ModelFile {
    const file = this.find(name);
    if (!file) throw new Error(`${name} is not there`);
    return file;
  }
}

function store(file: Pick<ModelFile, "seen" | "disk">, pages: Iterable<number>) {
  for (const page of pages) {
    const start = page * pageBytes;
    const bytes = file.seen.subarray(start, start + pageBytes);
    file.disk = resized(file.disk, Math.max(file.disk.length, start + bytes.length));
    bytes.copy(file.disk, start);
  }
}

function resized(bytes: Bytes, sizeBytes: number): Bytes {
  if (sizeBytes === bytes.length) return bytes;
  const copy = Buffer.alloc(sizeBytes);
  bytes.copy(copy, 0, 0, sizeBytes);
  return copy;
}
