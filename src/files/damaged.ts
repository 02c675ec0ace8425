/** Some bytes of a file that a row names are missing. */
export class DamagedFileError extends Error {
  readonly code = "FILE_DAMAGED";

  constructor(key: string, sizeBytes: number, foundBytes: number | undefined) {
    const found = foundBytes === undefined ? "is missing" : `has ${foundBytes} bytes`;
    super(`The file ${key} of ${sizeBytes} bytes ${found}.`);
    this.name = "DamagedFileError";
  }
}
