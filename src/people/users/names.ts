import type { RealmRow, Tx } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { looksLike } from "../../core/text/look-alikes";
import { cleanName } from "../../core/text/name";
import { lengthsMax } from "../../protocol/limits";
import { parseRealmSettings } from "../../realm/settings";
import { listUsers } from "./queries";
import { requireNoSystemBotName } from "./system-bots";

/**
 * Characters that would end a mention. A number after a bar is how a mention chooses between people
 * with equal names.
 */
const notInNames = /[*`\\>"@]|\|\d+$/;

/**
 * The stored form of a person's or a bot's name; refuses one that is blank, too long or could not
 * be mentioned.
 */
export function cleanFullName(fullName: string): string {
  const name = cleanName("The name", fullName, lengthsMax.fullName);
  if (notInNames.test(name))
    throw refusedFor(
      "name-form",
      `A name must not contain * \` \\ > " @, nor end in | and a number.`,
    );
  return name;
}

const nameKeyOf = (fullName: string) => fullName.normalize("NFKC").toLowerCase();

/**
 * Refuses (BAD_REQUEST) a new name that looks like a system bot's or, where the organization
 * requires unique names, like somebody else's.
 */
export async function requireUniqueName(
  tx: Tx,
  realm: RealmRow,
  fullName: string,
  exceptId?: number,
): Promise<void> {
  requireNoSystemBotName(fullName);
  const others = await requireNameNotHeld(tx, realm, fullName, exceptId);
  if (others.some(looksLike(fullName))) {
    throw refusedFor(
      "name-alike",
      `The name ${fullName} looks like the name of somebody else. Choose another one.`,
      fullName,
    );
  }
}

/**
 * The names that a new name must differ from: everybody else's, where the organization requires
 * unique names. Refuses a name that is among them (BAD_REQUEST).
 */
export async function requireNameNotHeld(
  tx: Tx,
  realm: RealmRow,
  fullName: string,
  exceptId?: number,
): Promise<string[]> {
  if (!parseRealmSettings(realm.settings).require_unique_names) return [];
  const key = nameKeyOf(fullName);
  const others = (await listUsers(tx, realm.id))
    .filter((user) => user.id !== exceptId)
    .map((user) => user.fullName);
  if (others.some((other) => nameKeyOf(other) === key))
    throw refusedFor("name-taken", `The name ${fullName} is already in use.`, fullName);
  return others;
}
