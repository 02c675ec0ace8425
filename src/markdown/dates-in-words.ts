/** A date and a time as somebody has written them. */
export interface WrittenMoment {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Minutes by which the zone is ahead of UTC. */
  offset: number;
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthName =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
/** Words in a date that add nothing to its numbers. */
const filler =
  /^(?:at|on|of|(?:mon|fri|sun)(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|sat(?:urday)?)$/;

/**
 * Hours by which zones are ahead of UTC. If a name stands for several zones, the zone is the one
 * that Zulip chooses.
 */
const zones: ReadonlyMap<string, number> = new Map(
  Object.entries({
    z: 0,
    utc: 0,
    gmt: 0,
    wet: 0,
    west: 1,
    bst: 1,
    cet: 1,
    cest: 2,
    eet: 2,
    eest: 3,
    sast: 2,
    msk: 3,
    pkt: 5,
    ist: 5.5,
    npt: 5.75,
    wib: 7,
    awst: 8,
    hkt: 8,
    sgt: 8,
    jst: 9,
    kst: 9,
    acst: 9.5,
    aest: 10,
    aedt: 11,
    nzst: 12,
    nzdt: 13,
    art: -3,
    brt: -3,
    ast: -4,
    edt: -4,
    est: -5,
    cdt: -5,
    cst: -6,
    mdt: -6,
    mst: -7,
    pdt: -7,
    pst: -8,
    akdt: -8,
    akst: -9,
    hst: -10,
  }),
);

/**
 * One number or word of a date, and the separator after it. An hour may be followed by am or pm.
 */
const parts =
  /(?:(?<clock>\d{1,2}:\d{2}(?::\d{2})?)|(?<hour>\d{1,2})(?= ?[ap]m\b)|(?<year>\d{4})\b|(?<day>\d{1,2})(?:st|nd|rd|th)?\b|(?<half>[ap]m)\b|(?<ahead>[+-]\d{2}:?\d{2})\b|(?<word>[a-z]+)\.?)[\s,]*/y;

type Kind = "clock" | "hour" | "year" | "day" | "half" | "ahead" | "month" | "zone";

/**
 * Reads a date in words that names its year, such as `5 June 2017, 10:30 pm CET`. It is in UTC if
 * it names no zone.
 */
export function readDateInWords(written: string): WrittenMoment | undefined {
  const text = written.toLowerCase();
  const found = new Map<Kind, string>();
  parts.lastIndex = 0;
  for (let end = 0; end < text.length; end = parts.lastIndex) {
    const { word, ...numbers } = parts.exec(text)?.groups ?? {};
    if (word !== undefined && filler.test(word)) continue;
    const [kind, value] = word === undefined ? numberIn(numbers) : [kindOfWord(word), word];
    if (kind === undefined || found.has(kind)) return undefined;
    found.set(kind, value);
  }
  return momentOf(found);
}

const numberKinds: readonly Kind[] = ["clock", "hour", "year", "day", "half", "ahead"];

function numberIn(groups: Record<string, string | undefined>): [Kind | undefined, string] {
  const kind = numberKinds.find((one) => groups[one] !== undefined);
  return [kind, (kind && groups[kind]) ?? ""];
}

function kindOfWord(word: string): Kind | undefined {
  if (monthName.test(word)) return "month";
  return zones.has(word) ? "zone" : undefined;
}

function momentOf(found: ReadonlyMap<Kind, string>): WrittenMoment | undefined {
  const month = found.get("month");
  if (month === undefined || !found.has("day") || !found.has("year")) return undefined;
  const clock = found.get("clock") ?? found.get("hour") ?? "0";
  if (found.has("clock") && found.has("hour")) return undefined;
  const [written = 0, minute = 0, second = 0] = clock.split(":").map(Number);
  const hour = hourOfDay(written, found.get("half"));
  if (hour === undefined) return undefined;
  const ahead =
    (zones.get(found.get("zone") ?? "utc") ?? 0) * 60 + minutesIn(found.get("ahead") ?? "+0000");
  const [year, day] = [Number(found.get("year")), Number(found.get("day"))];
  return {
    year,
    month: months.indexOf(month.slice(0, 3)) + 1,
    day,
    hour,
    minute,
    second,
    offset: ahead,
  };
}

/** An hour from 0 to 23; undefined for an hour that is impossible with am or pm. */
function hourOfDay(written: number, half: string | undefined): number | undefined {
  if (half === undefined) return written;
  if (written < 1 || written > 12) return undefined;
  return (written % 12) + (half === "pm" ? 12 : 0);
}

function minutesIn(ahead: string): number {
  const digits = ahead.replace(/\D/g, "");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return ahead.startsWith("-") ? -minutes : minutes;
}
