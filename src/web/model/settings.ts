import { withMembers } from "./copies";
import type { Event, Register, UserSettings } from "./wire";

/** The settings of the signed-in person. */
export const settingsFrom = ({ user_settings }: Register): UserSettings => user_settings;

export const applySettings = (settings: UserSettings, event: Event): UserSettings =>
  event.type === "user_settings"
    ? withMembers(settings, { [event.property]: event.value })
    : settings;

/** The person's alert words. */
export const alertWordsFrom = ({ alert_words }: Register): ReadonlySet<string> =>
  new Set(alert_words);

export const applyAlertWords = (words: ReadonlySet<string>, event: Event): ReadonlySet<string> =>
  event.type === "alert_words" ? new Set(event.alert_words) : words;
