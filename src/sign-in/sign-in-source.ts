import type { Person, UserRow } from "../core/context";
import type { Secrets } from "../core/secrets/secrets";

/**
 * A counter for proofs of a password: its name, and how many proofs may fail before it locks for
 * half an hour.
 */
export interface Counter {
  /**
   * An e-mail address in the form of `emailKeyOf`. All other keys contain no @, so that nobody can
   * type them as an address.
   */
  key: string;
  max: number;
}

/**
 * Failures of one source: an address with one account, a known browser, a session, or all API keys
 * of a person.
 */
const ownMax = 5;
/**
 * Failures with one account from all addresses together, except those sent by known browsers or
 * open sessions.
 */
const unknownMax = 20;

/** Source of a proof of a password, as far as it is known. */
export type SignInSource =
  | { kind: "unknown"; emailKey: string; address: string }
  | { kind: "known browser"; userId: number; browserId: string }
  | { kind: "person"; actor: Person };

/**
 * The counters of a source, its own first; a proof is refused if one of them is full. An account
 * has one counter for each address and one for all addresses together: a stranger locks the account
 * only for that stranger's address, and many strangers lock it for all strangers. Neither locks it
 * for a browser that has signed in before, nor for a person who is signed in, because these have
 * their own counters.
 */
export function countersOf(secrets: Secrets, source: SignInSource): Counter[] {
  switch (source.kind) {
    case "unknown": {
      const { emailKey, address } = source;
      const addressKey = `${addressesOf(secrets, emailKey)}${hashed(secrets, address)}`;
      return [
        { key: addressKey, max: ownMax },
        { key: emailKey, max: unknownMax },
      ];
    }
    case "known browser":
      return [{ key: `${browsersOf(source.userId)}${source.browserId}`, max: ownMax }];
    case "person":
      return [{ key: personKey(source.actor), max: ownMax }];
  }
}

/** Beginnings of the keys of an account's counters, except the counter that its addresses share. */
export const ownKeysOf = (
  secrets: Secrets,
  { id, emailKey }: Pick<UserRow, "id" | "emailKey">,
): string[] => [addressesOf(secrets, emailKey), browsersOf(id), sessionsOf(id), keysOf(id)];

const hashLength = 32;
const hashed = (secrets: Secrets, text: string) =>
  secrets.hash("sign-in-source", text).slice(0, hashLength);

const addressesOf = (secrets: Secrets, emailKey: string) => `address:${hashed(secrets, emailKey)}:`;
const browsersOf = (userId: number) => `browser:${userId}:`;
const sessionsOf = (userId: number) => `session:${userId}:`;
const keysOf = (userId: number) => `keys:${userId}:`;

/**
 * Opening a session requires a proof. A key can make another key without one, so all keys of a
 * person count together.
 */
function personKey(actor: Person): string {
  const { id } = actor.user;
  return actor.kind === "user" && actor.isSession
    ? `${sessionsOf(id)}${actor.apiKeyId}`
    : keysOf(id);
}
