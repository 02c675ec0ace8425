import type { Context, RealmRow } from "../core/context";
import { type Language, type Locale, languageOf } from "../core/language";
import { parseRealmSettings } from "./settings";

/**
 * Language of a page for somebody who has not signed in: the language of their browser, or else
 * that of the organization.
 */
export const languageOfStranger = ({
  browserLanguage,
  realm,
}: Pick<Context, "browserLanguage" | "realm">): Language =>
  browserLanguage ?? localeOfRealm(realm).language;

/** Language of an organization, for people who are not known yet. Its zone is UTC. */
export const localeOfRealm = ({ settings }: Pick<RealmRow, "settings">): Locale => ({
  language: languageOf(parseRealmSettings(settings).default_language),
  zone: "",
});
