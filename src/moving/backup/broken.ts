/** A backup that has changed since it was made, or a file that is not a backup. */
export class BrokenBackupError extends Error {
  constructor(why: string) {
    super(`This is no whole backup: ${why}. Nothing was changed. Take another one.`);
    this.name = "BrokenBackupError";
  }
}

/**
 * An archive with two entries of one name. It is refused, because two programs could read different
 * ones.
 */
export class RepeatedEntryError extends BrokenBackupError {
  constructor(readonly entryName: string) {
    super(`it has ${entryName} twice`);
    this.name = "RepeatedEntryError";
  }
}
