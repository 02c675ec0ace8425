import type { Model } from "./snapshot";
import type { User } from "./wire";

type Users = Model["users"];

/**
 * The number of people with each name (in lower case). Counted once per list, because an
 * organization can have many people.
 */
const countsOf = new WeakMap<Users, ReadonlyMap<string, number>>();

function namesakes(users: Users): ReadonlyMap<string, number> {
  const kept = countsOf.get(users);
  if (kept) return kept;
  const counts = new Map<string, number>();
  for (const { full_name } of users.values()) {
    const name = full_name.toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  countsOf.set(users, counts);
  return counts;
}

/** Whether other people have the name of this person. */
export const hasNamesake = ({ full_name }: Pick<User, "full_name">, users: Users): boolean =>
  (namesakes(users).get(full_name.toLowerCase()) ?? 0) > 1;

/** The name to write in a mention of somebody; with their id if several people have that name. */
export function writtenName(
  user: Pick<User, "user_id" | "full_name">,
  { users }: Pick<Model, "users">,
): string {
  const { user_id, full_name } = user;
  return hasNamesake(user, users) || /[*|`]/.test(full_name)
    ? `${full_name}|${user_id}`
    : full_name;
}
