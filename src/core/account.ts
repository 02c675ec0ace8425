import type { Actor, UserRow } from "./context";

/** The account that acts; undefined for the operator, a job, and somebody who has not signed in. */
export const accountOf = (actor: Actor): UserRow | undefined =>
  "user" in actor && actor.kind !== "spectator" ? actor.user : undefined;

/** Whether somebody acts with the account of this id. */
export const isSelf = (actor: Actor, userId: number | null): boolean =>
  accountOf(actor)?.id === userId;
