import type { Line } from "./rows";

/** Names of the rows that a line states. */
type Reader = (line: Line) => string[];

/** Readers for the lines of each section. A section that is not here states nothing of its own. */
export const readers: Record<string, Reader> = {
  "What the service does": ({ text }) => bullets(text, "concept"),
  "Resources and their fields": readResource,
  "States and transitions": readState,
  Endpoints: readEndpoint,
  Authentication: ({ text }) => numbered(text, "authentication"),
  Events: readEvent,
  Errors: readError,
  Limits: readLimit,
  Versioning: readVersion,
};

function readResource({ heading, cells, columns, text }: Line): string[] {
  if (text.startsWith("###") || heading === "") return [];
  if (columns[0] === "Field" && cells[0])
    return words(cells[0]).map((name) => `field: ${heading} ${name}`);
  if (!text.startsWith("- "))
    return [...numbered(text, `value: ${heading}`), ...named(text, `field: ${heading}`)];
  const [record = ""] = text.slice(2).split(":");
  const types = [...text.matchAll(/\b([1-8]) ([A-Z][\w ]+)/g)].map(
    ([, id, name]) => `field type: ${id} ${name}`,
  );
  return [...named(text, `field: ${record.replace(/ \(.*/, "")}`), ...types];
}

function readState({ cells, text }: Line): string[] {
  const [subject, state, , , next] = cells;
  if (subject)
    return [...words(state ?? "", / \/ /), ...words(next ?? "")].map(
      (name) => `state: ${subject}: ${name}`,
    );
  if (text.startsWith("Channel topics_policy")) return named(text, "state: topics_policy");
  const accounts = /^User account states: (.*?)\. /.exec(text)?.[1] ?? "";
  return words(accounts.replace(/ \([^)]*\)/g, "")).map((name) => `state: user account: ${name}`);
}

function readEndpoint(line: Line): string[] {
  const { heading, cells, columns, text } = line;
  if (heading === "Conventions") return bullets(text, "convention");
  if (text.startsWith("### ")) return [`endpoint: ${endpointOf(heading)}`];
  if (columns[0] === "Name" && cells[0])
    return [`parameter: ${endpointOf(heading)} ${bare(cells[0])}`];
  const settings = /^Permissions depend on realm settings ([^.]*)\./.exec(text)?.[1] ?? "";
  const [asked = "", ...answered] = text.split("Response:");
  return [
    ...words(settings).map((name) => `permission: ${endpointOf(heading)} ${name}`),
    ...named(asked, `parameter: ${endpointOf(heading)}`),
    ...named(answered.join(), `answer: ${endpointOf(heading)}`),
  ];
}

const endpointOf = (heading: string) => /^[A-Z]+ \S+/.exec(heading)?.[0] ?? heading;

function readEvent({ cells, columns, text }: Line): string[] {
  const [shape, fields] = cells;
  if (shape && columns[1] === "Fields")
    return [`event: ${shape}`, ...named(fields ?? "", `event field: ${shape}`)];
  if (text.startsWith("- ")) {
    const form = /^- (.*?)(?: \(|: |;|$)/.exec(text)?.[1];
    return [
      `event: realm_user (update): ${form}`,
      ...named(text, `event field: realm_user (update): ${form}`),
    ];
  }
  const types = /^Event types named: (.*?)\. /.exec(text)?.[1] ?? "";
  const ties = /^Operation-to-event ties: (.*)\.$/.exec(text)?.[1] ?? "";
  return [
    ...(text.startsWith("Events are delivered") ? named(text, "event field: every event") : []),
    ...(text.startsWith("Heartbeat") ? ["event: heartbeat"] : []),
    ...words(types).map((type) => `event: ${type}`),
    ...words(ties, "; ").map((tie) => `event tie: ${tie}`),
  ];
}

function readError({ cells, text }: Line): string[] {
  const [code, when = ""] = cells;
  if (code)
    return words(when, "; ").flatMap((one) => cases(one).map((what) => `error: ${code}: ${what}`));
  if (text.startsWith("MOVE_MESSAGES"))
    return named(text, "error field: MOVE_MESSAGES_TIME_LIMIT_EXCEEDED");
  const others = /^Other edit-message rejections: (.*?)\. The/.exec(text)?.[1] ?? "";
  return [
    ...(text.startsWith("Error body") ? named(text, "error field: every error") : []),
    ...words(others, "; ").map((what) => `error: edit-message: ${what.replace(/ \(.*/, "")}`),
    ...(text.startsWith("Formerly") ? ["error: topic deletion that is interrupted"] : []),
  ];
}

/** `status endpoint: a, b` are two cases. */
function cases(what: string): string[] {
  const [place, list] = what.split(": ");
  return list ? words(list).map((one) => `${place}: ${one}`) : [what];
}

function readLimit({ cells: [limit] }: Line): string[] {
  if (!limit) return [];
  const isList = /^\w+(, \w+)+$/.test(limit);
  return (isList ? words(limit) : [limit]).map((name) => `limit: ${name}`);
}

function readVersion({ cells: [level], text }: Line): string[] {
  if (level) return [`version: ${level.split(" ")[0]}`];
  return bullets(text, "versioning");
}

/** Words of the protocol that stand in backquotes. */
const named = (text: string, kind: string) =>
  [...text.matchAll(/`([a-z][a-z_0-9]*)`/g)].map(([, name]) => `${kind} ${name}`);

const words = (text: string, separator: string | RegExp = ", ") =>
  text
    .split(separator)
    .map((word) => bare(word.trim()))
    .filter((word) => word !== "");

const bare = (text: string) => text.replaceAll("`", "");

/** Lines that only lead over to a list, or say that something is not said, are no rows. */
const bullets = (text: string, kind: string) =>
  text.startsWith("- ") && !/^[^.]*(:| not shown\.)$/.test(text)
    ? [`${kind}: ${begin(text.slice(2))}`]
    : [];

function numbered(text: string, kind: string): string[] {
  const [, number, rest] = /^(\d)\. (.*)$/.exec(text) ?? [];
  return rest === undefined ? [] : [`${kind}: ${number}. ${begin(rest)}`];
}

/** The first words of a sentence, which name it. */
const begin = (text: string) =>
  bare(text)
    .split(" ")
    .slice(0, 6)
    .join(" ")
    .replace(/[,;:.]$/, "");
