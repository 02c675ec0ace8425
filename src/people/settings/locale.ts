import type { UserRow } from "../../core/context";
import { type Locale, languageOf } from "../../core/language";
import { parseUserSettings } from "./user-settings";

/** Language and time zone that somebody reads in. */
export const localeOfUser = ({ settings, timezone }: UserRow): Locale => ({
  language: languageOf(parseUserSettings(settings).default_language),
  zone: timezone,
});
