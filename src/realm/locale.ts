import type { Context, RealmRow } from "../core/context";
import { type Language, type Locale, languageOf, tagsAsked } from "../core/language";
import { languageCodes, parseRealmSettings } from "./settings";

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

/**
 * Code of the language that a browser likes best, by its header Accept-Language, among those that
 * people may choose as `default_language`; undefined if there is none.
 */
export const languageCodeAsked = (header: string | null): string | undefined =>
  tagsAsked(header)
    .map(codeOfTag)
    .find((code) => code !== undefined);

function codeOfTag(tag: string): string | undefined {
  const whole = tag.toLowerCase();
  const [language = ""] = whole.split("-");
  if (language === "zh") return /-(?:hant|tw|hk|mo)\b/.test(whole) ? "zh-hant" : "zh-hans";
  return [whole, language].find((code) => languageCodes.includes(code));
}
