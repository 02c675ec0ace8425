import { Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import { event } from "../../events/define";
import { userObject } from "./wire";

const userId = Type.Integer();

/**
 * Somebody has joined, or has become visible to a guest. To people who see them, like all events of
 * users.
 */
export const userAdded = event("realm_user", "add", { person: userObject });

/** Somebody is no longer visible to a guest. To that guest. */
export const userRemoved = event("realm_user", "remove", {
  person: Type.Object({ user_id: userId, full_name: Type.String() }),
});

/** Somebody's role has changed. */
export const userRoleChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, role: Type.Integer() }),
});

/** An account was deactivated or reactivated. Clients remove deactivated users from all groups. */
export const userActivityChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, is_active: Type.Boolean() }),
});

/** Somebody who was imported, or added by others, has signed in for the first time. */
export const userArrived = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, is_imported_stub: Type.Boolean() }),
});

/** Somebody's date of joining has changed to that of their first sign-in. */
export const userJoinDateChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, date_joined: Type.String() }),
});

/** A bot has a new owner. */
export const botOwnerChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, bot_owner_id: userId }),
});

/** Somebody's name has changed. */
export const userNameChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, full_name: Type.String() }),
});

/** Somebody's time zone has changed. */
export const userTimezoneChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, email: Type.String(), timezone: Type.String() }),
});

/** Somebody's real address has changed, or who may read it; null where it is not shown. */
export const userDeliveryEmailChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, delivery_email: nullable(Type.String()) }),
});

/**
 * Somebody's address in the API has changed: the real one, or the placeholder where that is not
 * shown.
 */
export const userEmailChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, new_email: Type.String() }),
});

/** Somebody's avatar has changed. */
export const userAvatarChanged = event("realm_user", "update", {
  person: Type.Object({
    user_id: userId,
    avatar_url: Type.String(),
    avatar_source: Type.String(),
    avatar_url_medium: Type.String(),
    avatar_version: Type.Integer(),
  }),
});
