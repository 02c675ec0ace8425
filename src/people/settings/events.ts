import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

const value = Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()]);

/**
 * A setting of a user, or their time zone, has a new value. To the user. `language_name` is added
 * for default_language.
 */
export const userSettingUpdated = event("user_settings", "update", {
  property: Type.String(),
  value,
  language_name: Type.Optional(Type.String()),
});

/**
 * Somebody has agreed that an export includes their private data, or no longer agrees. To
 * administrators.
 */
export const exportConsentChanged = event("realm_export_consent", undefined, {
  user_id: Type.Integer(),
  consented: Type.Boolean(),
});

/** A default of a setting for new users has a new value. To the realm. */
export const defaultUpdated = event("realm_user_settings_defaults", "update", {
  property: Type.String(),
  value,
});
