import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

const value = Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()]);

/**
 * A setting of a user, or their time zone, has a new value. To the user. `language_name` comes with
 * default_language.
 */
export const userSettingUpdated = event("user_settings", "update", {
  property: Type.String(),
  value,
  language_name: Type.Optional(Type.String()),
});

/** Somebody agrees that what they have access to is in an export, or no more. To administrators. */
export const exportConsentChanged = event("realm_export_consent", undefined, {
  user_id: Type.Integer(),
  consented: Type.Boolean(),
});

/** New users start with another value of a setting. To the realm. */
export const defaultUpdated = event("realm_user_settings_defaults", "update", {
  property: Type.String(),
  value,
});
