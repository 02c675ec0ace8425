/** Languages of the pages and mails that the server writes. */
export type Language = "en" | "de";

/** Language and time zone that somebody reads in. */
export interface Locale {
  language: Language;
  /** A name of the time zone database; empty for UTC. */
  zone: string;
}

/** The language of the server that is nearest to one of the protocol: English where there is none. */
export const languageOf = (code: string): Language => (/^de\b/i.test(code) ? "de" : "en");

/** Texts of a part of the server, with the language that they are in. */
export type Spoken<Texts> = Texts & { readonly tag: Language };

/**
 * Texts of a part of the server in each language. A language that lacks a text does not compile,
 * because German has to have the type of English.
 */
export function inLanguages<Texts extends object>(texts: {
  en: Texts;
  de: NoInfer<Texts>;
}): (language: Language) => Spoken<Texts> {
  const spoken: Record<Language, Spoken<Texts>> = {
    en: { ...texts.en, tag: "en" },
    de: { ...texts.de, tag: "de" },
  };
  return (language) => spoken[language];
}

const regions: Record<Language, string> = { en: "en-GB", de: "de-DE" };

/** A time as people read it, with its zone: `27 November 2026 at 17:04 CET`. UNIX seconds. */
export function timeText(seconds: number, { language, zone }: Locale): string {
  const format = new Intl.DateTimeFormat(regions[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: isZone(zone) ? zone : "UTC",
  });
  const named = new Intl.DateTimeFormat(regions[language], {
    timeZone: isZone(zone) ? zone : "UTC",
    timeZoneName: "short",
  });
  const at = new Date(seconds * 1_000);
  const zoneName = named.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
  return `${format.format(at)} ${zoneName ?? "UTC"}`;
}

/** People of other systems may have zones that this one does not know. */
function isZone(name: string): boolean {
  if (name === "") return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
