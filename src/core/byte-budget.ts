/** Highest number of UTF-8 bytes that one UTF-16 unit takes. */
const unitBytesMax = 3;

/** Longer texts are counted at once, so that never many of them are counted together. */
const countedLaterMax = 4_096;

/**
 * Checks whether texts fit into a number of bytes. It counts the bytes of short texts only once
 * their length no longer proves that they fit, because counting reads each text.
 */
export class ByteBudget {
  private sizeBytes = 0;
  private uncountedLength = 0;
  private isCounting = false;
  private readonly uncounted: string[] = [];

  constructor(private readonly sizeBytesMax: number) {}

  /** Adds a text; answers whether all texts so far fit. */
  add(text: string): boolean {
    if (this.isCounting || text.length > countedLaterMax) this.sizeBytes += Buffer.byteLength(text);
    else {
      this.uncounted.push(text);
      this.uncountedLength += text.length;
    }
    if (this.sizeBytes + this.uncountedLength * unitBytesMax <= this.sizeBytesMax) return true;
    this.isCounting = true;
    this.uncountedLength = 0;
    for (const one of this.uncounted.splice(0)) this.sizeBytes += Buffer.byteLength(one);
    return this.sizeBytes <= this.sizeBytesMax;
  }
}
