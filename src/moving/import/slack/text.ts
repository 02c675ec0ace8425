/** Meanings of the names in a text of Slack. */
export interface SlackNames {
  /** A person by their id in Slack. */
  person(id: string): { id: number; fullName: string } | undefined;
  /** The name of a channel by its id in Slack. */
  channel(id: string): string | undefined;
  /** The name here of an emoji in Slack. */
  emoji(name: string): string;
}

const signs: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const decode = (text: string) => text.replace(/&(?:lt|gt|amp);/g, (sign) => signs[sign] ?? sign);

/**
 * A token of an export as a parameter of an address, or anywhere else. Renewable tokens of Slack
 * contain dots.
 */
const tokenParameter = /([?&](?:amp;)?)t=xox[a-z][.-](?:[\w-]|\.(?=\w))*(&(?:amp;)?)?/gi;
const exportToken = /xoxe[.-](?=[\w-])(?:[\w-]|\.(?=\w))*/gi;

/**
 * A text without tokens of the export. Slack adds such a token to the addresses of files, and it
 * gives access to all files of the workspace, including private ones.
 */
export const withoutTokens = (text: string): string =>
  text
    .replace(tokenParameter, (_, sign, more) => (more ? sign : ""))
    .replace(exportToken, "xoxe-…");

/** Code, between three backticks or one. Markup in it is not converted. */
const codePattern = /```[\s\S]*?```|`[^`\n]+`/g;

/**
 * Converts a text from Slack's markup to Markdown: people, channels, links, emphasis, emoji and
 * quotes.
 */
export function markdownOfSlack(text: string, names: SlackNames): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: code, index } of text.matchAll(codePattern)) {
    parts.push(convert(text.slice(end, index), names), codeOf(code));
    end = index + code.length;
  }
  parts.push(convert(text.slice(end), names));
  return parts.join("").trim();
}

/**
 * Code in Markdown. A block of code begins and ends on lines of its own. Slack puts the addresses
 * in code into angle brackets, which are removed.
 */
function codeOf(code: string): string {
  const plain = decode(code.replace(/<((?:https?|mailto):[^|<>]*)(?:\|[^<>]*)?>/g, "$1"));
  if (!plain.startsWith("```")) return plain;
  return `\n\`\`\`\n${plain.slice(3, -3).replace(/^\n|\n$/g, "")}\n\`\`\`\n`;
}

/**
 * Placeholder for a converted piece while the rest is converted. This character is removed from the
 * text before, so it marks nothing else.
 */
const mark = "\u0000";
const markedPiece = new RegExp(`${mark}(\\d+)${mark}`, "g");

function convert(text: string, names: SlackNames): string {
  const done: string[] = [];
  const keep = (piece: string) => `${mark}${done.push(piece) - 1}${mark}`;
  const marked = text
    .replaceAll(mark, "")
    .replace(/<([^<>\n]+)>/g, (_, inner: string) => keep(tokenOf(inner, names)))
    .replace(/:([a-z0-9_+'-]+)(?:::skin-tone-[2-6])?:/g, (_, name: string) =>
      keep(`:${names.emoji(name)}:`),
    );
  const emphasized = marked
    .replace(emphasis("\\*"), "$1**$2**")
    .replace(emphasis("_"), "$1*$2*")
    .replace(emphasis("~"), "$1~~$2~~")
    .replace(/^[ \t]*[•◦▪][ \t]+/gm, "- ")
    .replace(/^&gt;(?:&gt;&gt;)?[ \t]?/gm, "> ");
  return decode(emphasized).replaceAll(markedPiece, (_, at: string) => done[Number(at)] ?? "");
}

/**
 * Text between two equal signs. No word touches the first sign from the left or the second from the
 * right, and no space is inside of them.
 */
const emphasis = (sign: string) =>
  new RegExp(
    `(^|[\\s([{"'>,.!?*_~-])${sign}(?=\\S)([^\\n${sign}]*[^\\s${sign}])${sign}(?![\\p{L}\\p{N}])`,
    "gmu",
  );

function tokenOf(inner: string, names: SlackNames): string {
  const [target = "", label] = splitOnce(inner);
  const [kind, rest] = [target[0] ?? "", target.slice(1)];
  if (kind === "@") return personOf(rest, label, names);
  if (kind === "#") return channelOf(rest, label, names);
  if (kind === "!") return specialOf(rest, label);
  return linkOf(decode(target), label === undefined ? undefined : decode(label));
}

function splitOnce(inner: string): [string, string | undefined] {
  const at = inner.indexOf("|");
  return at < 0 ? [inner, undefined] : [inner.slice(0, at), inner.slice(at + 1)];
}

/** A link to a channel, by its id in Slack. */
export function channelOf(id: string, label: string | undefined, names: SlackNames): string {
  const name = names.channel(id) ?? label;
  return name === undefined || name === "" ? "#private-channel" : `#**${name}**`;
}

/** A mention of a person, by their id in Slack. */
export function personOf(id: string, label: string | undefined, names: SlackNames): string {
  const person = names.person(id);
  return person ? `@**${person.fullName}|${person.id}**` : `@${label?.replace(/^@/, "") || id}`;
}

function specialOf(command: string, label: string | undefined): string {
  if (["here", "channel", "everyone", "group"].includes(command)) return "@**all**";
  return decode(label ?? `@${command.split("^")[0]}`);
}

function linkOf(address: string, label: string | undefined): string {
  if (address.startsWith("mailto:")) return label ?? address.slice("mailto:".length);
  if (label === undefined || label === address) return address;
  return `[${label.replace(/[[\]]/g, "\\$&")}](${address.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}
