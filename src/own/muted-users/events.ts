import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { mutedUserObject } from "../../people/muted-users/wire";

/** Somebody's muted users have changed; lists all of them. To their own clients. */
export const mutedUsersChanged = event("muted_users", undefined, {
  muted_users: Type.Array(mutedUserObject),
});
