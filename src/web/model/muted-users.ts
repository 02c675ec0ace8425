import type { Event, Register } from "./wire";

/** When the person muted each muted user (UNIX seconds), by user id. */
type MutedUsers = ReadonlyMap<number, number>;

const mutedUsersOf = (rows: Register["muted_users"]): MutedUsers =>
  new Map(rows.map(({ id, timestamp }) => [id, timestamp]));

export const mutedUsersFrom = ({ muted_users }: Register): MutedUsers => mutedUsersOf(muted_users);

export const applyMutedUsers = (muted: MutedUsers, event: Event): MutedUsers =>
  event.type === "muted_users" ? mutedUsersOf(event.muted_users) : muted;
