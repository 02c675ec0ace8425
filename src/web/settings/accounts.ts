import type { User } from "../model/wire";
import { users } from "../store/state";

/** Bots of somebody that are active. */
export const activeBotsOf = (userId: number): readonly User[] =>
  [...users.value.values()].filter(
    ({ bot_owner_id: ownerId, is_active: isActive }) => isActive && ownerId === userId,
  );
