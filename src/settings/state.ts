import type { StateLoader } from "../core/state";
import { loadUser } from "../users/queries";
import {
  legacyDisplaySettingsState,
  parseUserSettings,
  userSettingsDefaultsState,
  userSettingsState,
} from "./user-settings";

/** `user_settings`: the user's own. */
const ownSettings: StateLoader = {
  fetchTypes: ["user_settings"],
  async load({ realm, actor }, reader) {
    const user = await loadUser(reader, realm.id, actor.user.id);
    return userSettingsState(parseUserSettings(user.settings), user.timezone);
  },
};

/** `realm_user_settings_defaults`: what a new user starts with, which no realm can change yet. */
const realmDefaults: StateLoader = {
  fetchTypes: ["realm_user_settings_defaults"],
  async load() {
    return userSettingsDefaultsState(parseUserSettings("{}"));
  },
};

/** `twenty_four_hour_time` at the top level, for old clients. */
const legacyDisplaySettings: StateLoader = {
  fetchTypes: ["update_display_settings"],
  async load({ realm, actor }, reader) {
    const user = await loadUser(reader, realm.id, actor.user.id);
    return legacyDisplaySettingsState(parseUserSettings(user.settings));
  },
};

export const settingsStates: readonly StateLoader[] = [ownSettings, realmDefaults, legacyDisplaySettings];
