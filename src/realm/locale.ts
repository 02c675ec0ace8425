import type { RealmRow } from "../core/context";
import { type Locale, languageOf } from "../core/language";
import { parseRealmSettings } from "./settings";

/** Language of an organization, for people who are not known yet. Its zone is UTC. */
export const localeOfRealm = ({ settings }: Pick<RealmRow, "settings">): Locale => ({
  language: languageOf(parseRealmSettings(settings).default_language),
  zone: "",
});
