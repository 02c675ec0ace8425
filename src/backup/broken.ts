/** A backup that is not as it was when it was made, or none at all. */
export class BrokenBackupError extends Error {
  constructor(why: string) {
    super(`This is no whole backup: ${why}. Nothing was changed. Take another one.`);
    this.name = "BrokenBackupError";
  }
}
