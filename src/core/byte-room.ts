/** A UTF-16 unit takes so many bytes of UTF-8 at the most. */
const unitBytesMax = 3;

/**
 * Counts how many texts fit into so many bytes. Bytes are counted only where there may be too many:
 * each text is gone through for it.
 */
export class ByteRoom {
  private length = 0;
  private sizeBytes: number | undefined;
  private readonly texts: string[] = [];

  constructor(private readonly sizeBytesMax: number) {}

  /** Takes a text in; answers whether all that were taken in fit. */
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
