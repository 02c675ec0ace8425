import { Type } from "@sinclair/typebox";
import type { RealmRow } from "../../core/context";
import { JsonMembers, jsonMemory } from "../../core/json/raw-json";
import type { StateLoader } from "../../core/state";
import { loadRealm } from "../../realm/queries";
import { parseUserDefaults } from "./defaults";
import {
  legacyDisplaySettingsState,
  legacyNotificationSettingsState,
  parseUserSettings,
  userSettingsDefaultsState,
  userSettingsState,
} from "./user-settings";
import { userDefaultsObject, userSettingsObject } from "./wire";

/** `user_settings`: the user's own. */
const ownSettings = {
  fetchTypes: ["user_settings"],
  keys: { user_settings: userSettingsObject },
  async load({ actor: { user } }) {
    return userSettingsState(parseUserSettings(user.settings), user.timezone);
  },
} satisfies StateLoader;

const texts = jsonMemory<RealmRow>();

/** `realm_user_settings_defaults`: the initial settings of a new user. */
const realmDefaults = {
  fetchTypes: ["realm_user_settings_defaults"],
  keys: { realm_user_settings_defaults: userDefaultsObject },
  async load({ realm: { id } }, reader) {
    const realm = await loadRealm(reader, id);
    const { text } = texts(realm, "", () => userSettingsDefaultsState(parseUserDefaults(realm)));
    return new JsonMembers(text.slice(1, -1));
  },
} satisfies StateLoader;

/** `twenty_four_hour_time` at the top level, for old clients. */
const legacyDisplaySettings = {
  fetchTypes: ["update_display_settings"],
  keys: { twenty_four_hour_time: Type.Boolean() },
  async load({ actor: { user } }) {
    return legacyDisplaySettingsState(parseUserSettings(user.settings));
  },
} satisfies StateLoader;

/** `pm_content_in_desktop_notifications` at the top level, for old clients. */
const legacyNotificationSettings = {
  fetchTypes: ["update_global_notifications"],
  keys: { pm_content_in_desktop_notifications: Type.Boolean() },
  async load({ actor: { user } }) {
    return legacyNotificationSettingsState(parseUserSettings(user.settings));
  },
} satisfies StateLoader;

export const settingsStates = [
  ownSettings,
  realmDefaults,
  legacyDisplaySettings,
  legacyNotificationSettings,
] satisfies StateLoader[];
