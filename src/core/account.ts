import type { Actor, Context, Person, UserRow } from "./context";

/** Whether somebody acts with an account: no spectator, who has only a stand-in for one. */
export const hasAccount = (actor: Actor): actor is Exclude<Person, { kind: "spectator" }> =>
  "user" in actor && actor.kind !== "spectator";

/** The account that acts; undefined for the operator, a job, and somebody who has not signed in. */
export const accountOf = (actor: Actor): UserRow | undefined =>
  hasAccount(actor) ? actor.user : undefined;

/** Whether somebody acts with the account of this id. */
export const isSelf = (actor: Actor, userId: number | null): boolean =>
  accountOf(actor)?.id === userId;

/** The context in which a person acts without a request, or the rights of a person are checked. */
export const actingAs = (ctx: Context, user: UserRow): Context<Person> => ({
  ...ctx,
  actor: { kind: "user", user, apiKeyId: 0 },
});
