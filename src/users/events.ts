import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { userObject } from "./wire";

const userId = Type.Integer();

/** A person or a bot has joined. To the realm. */
export const userAdded = event("realm_user", "add", { person: userObject });

/** Somebody's role is another one. To the realm. */
export const userRoleChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, role: Type.Integer() }),
});

/** An account was deactivated or reactivated. To the realm; clients take who is deactivated out of all groups. */
export const userActivityChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, is_active: Type.Boolean() }),
});

/** Somebody is called something else. To the realm. */
export const userNameChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, full_name: Type.String() }),
});
