import type { Credential } from "./credentials";

/**
 * Target of a scenario: a server on loopback and the users it may act as. `seconds` is how long it
 * may take a figure, `channel` where it sends.
 */
export type LoadTarget = {
  port: number;
  pid: number;
  seconds: number;
  channel: string;
  users: Credential[];
};

/** Measured figures by name; the unit is the end of the name. */
export type Figures = Record<string, number>;

/** The authorization of the user at an index, starting again when there are fewer users. */
export function authorizationOf(target: LoadTarget, index: number): string {
  const user = target.users[index % target.users.length];
  if (user === undefined) throw new Error("the credentials file has no users");
  return user.authorization;
}
