import type { RealmRow } from "../core/context";
import { JsonMembers, jsonMemory } from "../core/raw-json";
import type { StateLoader } from "../core/state";
import { loadRealm } from "../realm/queries";
import { parseUserDefaults } from "./defaults";
import {
  legacyDisplaySettingsState,
  legacyNotificationSettingsState,
  parseUserSettings,
  userSettingsDefaultsState,
  userSettingsState,
} from "./user-settings";

/** `user_settings`: the user's own. */
const ownSettings: StateLoader = {
  fetchTypes: ["user_settings"],
  async load({ actor: { user } }) {
    return userSettingsState(parseUserSettings(user.settings), user.timezone);
  },
};

const texts = jsonMemory<RealmRow>();

/** `realm_user_settings_defaults`: what a new user starts with. */
const realmDefaults: StateLoader = {
  fetchTypes: ["realm_user_settings_defaults"],
  async load({ realm: { id } }, reader) {
    const realm = await loadRealm(reader, id);
    const { text } = texts(realm, "", () => userSettingsDefaultsState(parseUserDefaults(realm)));
    return new JsonMembers(text.slice(1, -1));
  },
};

/** `twenty_four_hour_time` at the top level, for old clients. */
const legacyDisplaySettings: StateLoader = {
  fetchTypes: ["update_display_settings"],
  async load({ actor: { user } }) {
    return legacyDisplaySettingsState(parseUserSettings(user.settings));
  },
};

/** `pm_content_in_desktop_notifications` at the top level, for the same. */
const legacyNotificationSettings: StateLoader = {
  fetchTypes: ["update_global_notifications"],
  async load({ actor: { user } }) {
    return legacyNotificationSettingsState(parseUserSettings(user.settings));
  },
};

export const settingsStates: readonly StateLoader[] = [
  ownSettings,
  realmDefaults,
  legacyDisplaySettings,
  legacyNotificationSettings,
];
