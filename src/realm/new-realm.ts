/**
 * Settings that a new organization starts with, where they are not those of one that has never set
 * them: the reference's current defaults. An organization of before keeps the older ones, which
 * stand in `realmSettings`.
 */
const newRealmSettings: Readonly<Record<string, unknown>> = {
  default_avatar_source: "J",
  gif_rating_policy: 1,
  send_channel_events_messages: false,
};

/**
 * Settings that the users of a new organization start with: administrators read their addresses,
 * until they say otherwise.
 */
const newUserDefaults: Readonly<Record<string, unknown>> = { email_address_visibility: 3 };

/**
 * The row of a new organization, as far as it tells what it starts with; `settings` are those that it
 * is given besides.
 */
export const newRealmRow = (settings: Readonly<Record<string, unknown>> = {}) => ({
  settings: JSON.stringify({ ...newRealmSettings, ...settings }),
  userDefaults: JSON.stringify(newUserDefaults),
});
