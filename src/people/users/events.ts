import { Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import { event } from "../../events/define";
import { userObject } from "./wire";

const userId = Type.Integer();

/**
 * Somebody has joined, or a guest has come to see them. To those who see them. All events of users
 * go to these alone.
 */
export const userAdded = event("realm_user", "add", { person: userObject });

/** A guest does not see somebody any more. To that guest. */
export const userRemoved = event("realm_user", "remove", {
  person: Type.Object({ user_id: userId, full_name: Type.String() }),
});

/** Somebody's role is another one. */
export const userRoleChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, role: Type.Integer() }),
});

/** An account was deactivated or reactivated. Clients take who is deactivated out of all groups. */
export const userActivityChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, is_active: Type.Boolean() }),
});

/**
 * Somebody who was brought along from another system, or whom others have added, has signed in
 * first.
 */
export const userArrived = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, is_imported_stub: Type.Boolean() }),
});

/** When somebody counts as having joined is another time: that of their first sign-in. */
export const userJoinDateChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, date_joined: Type.String() }),
});

/** A bot belongs to somebody else. */
export const botOwnerChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, bot_owner_id: userId }),
});

/** Somebody is called something else. */
export const userNameChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, full_name: Type.String() }),
});

/** Somebody lives in another time zone. */
export const userTimezoneChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, email: Type.String(), timezone: Type.String() }),
});

/**
 * Somebody has another real address, or may be written to at it by others than before; null where
 * it is not shown.
 */
export const userDeliveryEmailChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, delivery_email: nullable(Type.String()) }),
});

/**
 * Somebody is named by another address in the API: the real one, or the placeholder where that is
 * not shown.
 */
export const userEmailChanged = event("realm_user", "update", {
  person: Type.Object({ user_id: userId, new_email: Type.String() }),
});

/** Somebody has another picture. */
export const userAvatarChanged = event("realm_user", "update", {
  person: Type.Object({
    user_id: userId,
    avatar_url: Type.String(),
    avatar_source: Type.String(),
    avatar_url_medium: Type.String(),
    avatar_version: Type.Integer(),
  }),
});
