/** Highest number of UTF-8 bytes that one UTF-16 unit takes. */
const unitBytesMax = 3;

/**
 * Checks whether texts fit into a number of bytes. It counts bytes only once the length of the
 * texts no longer proves that they fit, because counting reads each text.
 */
export class ByteRoom {
  private length = 0;
  private sizeBytes: number | undefined;
  private readonly texts: string[] = [];

  constructor(private readonly sizeBytesMax: number) {}

  /** Adds a text; answers whether all texts so far fit. */
  add(text: string): boolean {
    this.length += text.length;
    if (this.sizeBytes === undefined) {
      this.texts.push(text);
      if (this.length * unitBytesMax <= this.sizeBytesMax) return true;
      this.sizeBytes = 0;
      for (const one of this.texts.splice(0)) this.sizeBytes += Buffer.byteLength(one);
    } else this.sizeBytes += Buffer.byteLength(text);
    return this.sizeBytes <= this.sizeBytesMax;
  }
}
