import type { RealmRow, Tx } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { lengthsMax } from "../../protocol/limits";
import { findUserByEmail, isPlaceholderEmail } from "./queries";

/**
 * One @, ASCII only (other letters can look alike or change with case), no characters that have a
 * meaning in mail syntax.
 */
const emailForm = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** The stored form of an e-mail address; refuses an invalid one. */
export function cleanEmail(email: string): string {
  const trimmed = email.trim();
  if (trimmed.length > lengthsMax.emailAddress || !emailForm.test(trimmed)) {
    const shown = trimmed.slice(0, lengthsMax.emailAddress);
    throw refusedFor("address-form", `'${shown}' is not a valid e-mail address.`, shown);
  }
  return trimmed;
}

/**
 * Refuses an address that somebody else has, and one with the form of a placeholder (BAD_REQUEST).
 */
export async function requireFreeEmail(
  tx: Tx,
  realm: RealmRow,
  email: string,
  exceptId?: number,
): Promise<void> {
  if (isPlaceholderEmail(realm, email)) {
    throw refusedFor(
      "address-alike",
      `${email} stands for a user whose real address is not shown. Use another address.`,
      email,
    );
  }
  const holder = await findUserByEmail(tx, realm.id, email);
  if (holder && holder.id !== exceptId)
    throw refusedFor("address-taken", `The e-mail address ${email} is already in use.`, email);
}
