/** A backup that is not as it was when it was made, or none at all. */
export class BrokenBackupError extends Error {
  constructor(why: string) {
    super(`This is no whole backup: ${why}. Nothing was changed. Take another one.`);
    this.name = "BrokenBackupError";
  }
}

/**
 * An archive that has two entries of one name: each reader of it might take another one for the
 * right one.
 */
export class RepeatedEntryError extends BrokenBackupError {
  constructor(readonly entryName: string) {
    super(`it has ${entryName} twice`);
    this.name = "RepeatedEntryError";
  }
}
