import type { Tx } from "../core/context";
import { cancelRow } from "../jobs/store";

/** Name of the job that sends a mail. */
export const mailJobName = "mail";

/** Cancels the waiting mail of a realm with a key; one that is being sent is still sent. */
export const cancelMail = (tx: Tx, realmId: number, key: string): Promise<void> =>
  cancelRow(tx, realmId, mailJobName, key);
