/** Languages of the pages and mails that the server writes. */
export type Language = "en" | "de";

/** Language and time zone that somebody reads in. */
export interface Locale {
  language: Language;
  /** A name of the time zone database; empty for UTC. */
  zone: string;
}

/**
 * The language of the server that is nearest to one of the protocol: English where there is none.
 */
export const languageOf = (code: string): Language => (/^de\b/i.test(code) ? "de" : "en");

/**
 * The language of the server that a browser likes best, by its header Accept-Language (RFC 9110,
 * 12.5.4); undefined where it names none of them.
 */
export function languageAsked(header: string | null): Language | undefined {
  const liked = tagsAsked(header).map((tag) => serverLanguages.find((one) => isOf(tag, one)));
  return liked.find((one) => one !== undefined);
}

/** Tags of languages in a header Accept-Language (RFC 9110, 12.5.4), the best one first. */
export function tagsAsked(header: string | null): string[] {
  const liked = (header ?? "")
    .slice(0, acceptLengthMax)
    .split(",")
    .map((part, place) => {
      const [tag = "", weight = "1"] = part.trim().split(/\s*;\s*q=/i);
      return { tag, weight: Number(weight), place };
    });
  return liked
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.place - other.place)
    .map(({ tag }) => tag);
}

const acceptLengthMax = 500;
const serverLanguages: readonly Language[] = ["en", "de"];
const isOf = (tag: string, language: Language) => tag.toLowerCase().split("-")[0] === language;

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
export function timeText(seconds: number, locale: Locale): string {
  const { time, zone } = timeFormatsOf(locale);
  const at = new Date(seconds * 1_000);
  const zoneName = zone.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
  return `${time.format(at)} ${zoneName ?? "UTC"}`;
}

type TimeFormats = Readonly<Record<"time" | "zone", Intl.DateTimeFormat>>;

/**
 * Formats by language and zone. Creating one takes a hundred times as long as using it, and one
 * message may have a thousand time stamps.
 */
const timeFormats = new Map<string, TimeFormats>();
const timeFormatsMax = 100;

function timeFormatsOf({ language, zone }: Locale): TimeFormats {
  const key = `${language} ${zone}`;
  const made = timeFormats.get(key);
  if (made) return made;
  const region = regions[language];
  // People of other systems may have zones that this one does not know.
  const timeZone = isTimeZone(zone) ? zone : "UTC";
  const formats = {
    time: new Intl.DateTimeFormat(region, { dateStyle: "long", timeStyle: "short", timeZone }),
    zone: new Intl.DateTimeFormat(region, { timeZone, timeZoneName: "short" }),
  };
  if (timeFormats.size >= timeFormatsMax) timeFormats.clear();
  timeFormats.set(key, formats);
  return formats;
}

/** Whether this is a time zone: a name such as `Europe/Berlin`, or an offset such as `+02:00`. */
export function isTimeZone(zone: string): boolean {
  try {
    return zone !== "" && new Intl.DateTimeFormat("en", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
