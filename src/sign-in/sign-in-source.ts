import type { Person, UserRow } from "../core/context";
import type { Secrets } from "../core/secrets";

/**
 * A name under which proofs of a password are counted, and how many may fail before it is locked
 * for half an hour.
 */
export interface Counter {
  /**
   * An e-mail address as `emailKeyOf` gives it; all other keys have no @, so that nobody can type
   * them in as an address.
   */
  key: string;
  max: number;
}

/**
 * Failures of one source: of an address with one account, of a known browser, of a session, of all
 * API keys of a person.
 */
const ownMax = 5;
/**
 * Failures with one account from all addresses together, unless known browsers or open sessions
 * sent them.
 */
const unknownMax = 20;

/** Source of the proof of a password, as far as it is known. */
export type SignInSource =
  | { kind: "unknown"; emailKey: string; address: string }
  | { kind: "known browser"; userId: number; browserId: string }
  | { kind: "person"; actor: Person };

/**
 * The counters of a source, its own first; a proof is refused where one of them is full. An account
 * has one for each address and one for all of them: a stranger locks it for themself alone, and
 * many strangers for each other. Neither locks it for a browser that has signed in before, nor for
 * somebody who is signed in: these are counted for themselves.
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

/** Beginnings of the keys of all counters of an account but the one that its addresses share. */
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
 * A session begins with a proof. A key makes another one without, so that all keys of a person
 * count together.
 */
function personKey(actor: Person): string {
  const { id } = actor.user;
  return actor.kind === "user" && actor.isSession
    ? `${sessionsOf(id)}${actor.apiKeyId}`
    : keysOf(id);
}
