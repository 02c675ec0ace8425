import type { Model } from "./snapshot";
import type { User } from "./wire";

/** The name that a mention of somebody has: with the id, where two people have one name. */
export function writtenName(
  { user_id, full_name }: Pick<User, "user_id" | "full_name">,
  { users }: Pick<Model, "users">,
): string {
  const isShared = [...users.values()].some(
    (other) =>
      other.user_id !== user_id && other.full_name.toLowerCase() === full_name.toLowerCase(),
  );
  return isShared || /[*|`]/.test(full_name) ? `${full_name}|${user_id}` : full_name;
}
