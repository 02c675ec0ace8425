/**
 * Initial settings of a new organization where they differ from the defaults in `realmSettings`:
 * the reference's current defaults. Older organizations keep their former defaults, which stand in
 * `realmSettings`.
 */
const newRealmSettings: Readonly<Record<string, unknown>> = {
  default_avatar_source: "J",
  gif_rating_policy: 1,
  send_channel_events_messages: false,
};

/**
 * Initial settings for users of a new organization: only administrators read their addresses, until
 * they change that.
 */
const newUserDefaults: Readonly<Record<string, unknown>> = { email_address_visibility: 3 };

/** The row of a new organization with its initial values; `settings` are added to them. */
export const newRealmRow = (settings: Readonly<Record<string, unknown>> = {}) => ({
  settings: JSON.stringify({ ...newRealmSettings, ...settings }),
  userDefaults: JSON.stringify(newUserDefaults),
});
