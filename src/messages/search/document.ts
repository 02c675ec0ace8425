import type { Dialect } from "../../../db/schema";
import type { Match } from "../../../db/sql/search/match";
import { searchIndexOf } from "../../../db/sql/search/search-index";
import { isResolved } from "../../protocol/topics";
import { stemIn } from "./stems";
import { addKeysOf, addKeysOfHtml, partsOfHtml } from "./words";

/** Facts of a message in the index in addition to its words. */
export interface Indexed {
  id: number;
  senderId: number;
  channelId: number | null;
  conversationId: number | null;
  /** The people of its conversation; empty for a channel message. */
  participants: readonly number[];
  topic: string;
  topicKey: string;
  renderedContent: string;
  /** Language of its organization, see `stemIn`. */
  language: string;
}

/**
 * The first character of marks, which occurs in no word; also the mark between the topic and the
 * content.
 */
const sign = "\ue000";
const border = "\ue001";
/**
 * First of the code points that replace ASCII characters other than letters and digits, because
 * FTS5 would split a mark at these.
 */
const otherAscii = 0xe100;

const plain = (text: string) =>
  text.replace(/[^0-9a-z\u0080-\uffff]/g, (one) =>
    String.fromCharCode(otherAscii + one.charCodeAt(0)),
  );

/**
 * Marks by which messages are found in addition to words: their place, their sender, whether
 * they have links, images and so on, and the stems of their words in the organization's language.
 */
export const marks = {
  /** The mark of every message. */
  message: `${sign}m`,
  channel: (id: number) => `${sign}c${id}`,
  conversation: (id: number) => `${sign}d${id}`,
  /** Mark of a participant of the conversation. */
  participant: (id: number) => `${sign}u${id}`,
  sender: (id: number) => `${sign}s${id}`,
  topic: (key: string) => `${sign}t${plain(key)}`,
  resolved: `${sign}r`,
  stem: (stem: string) => `${sign}w${plain(stem)}`,
  link: `${sign}l`,
  image: `${sign}i`,
  attachment: `${sign}a`,
} as const;

const link = /<a href="/;
const image =
  /class="message_inline_image"|class="inline-image"|<a href="[^"]*\.(?:avif|bmp|gif|heic|jpe?g|png|webp)(?:[?#][^"]*)?"/i;
const attachment = /(?:href|src)="\/user_uploads\//;

/** Things in the HTML of a message that `has:` finds. */
export const contentsOf = (html: string) => ({
  hasLink: link.test(html),
  hasImage: image.test(html),
  hasAttachment: attachment.test(html),
});

/**
 * Links to channels and messages of the realm have a class before their address, and do not count
 * as links here.
 */
function contentMarks(html: string): string[] {
  if (!html.includes("href") && !html.includes("src")) return [];
  const found: string[] = [];
  const { hasLink, hasImage, hasAttachment } = contentsOf(html);
  if (hasLink) found.push(marks.link);
  if (hasImage) found.push(marks.image);
  if (hasAttachment) found.push(marks.attachment);
  return found;
}

function marksOf(message: Indexed, stems: readonly string[]): string[] {
  const { channelId, conversationId, topic, topicKey } = message;
  const place =
    channelId === null
      ? [marks.conversation(conversationId ?? 0), ...message.participants.map(marks.participant)]
      : [
          marks.channel(channelId),
          marks.topic(topicKey),
          ...(isResolved(topic) ? [marks.resolved] : []),
        ];
  return [
    marks.message,
    ...place,
    marks.sender(message.senderId),
    ...contentMarks(message.renderedContent),
    ...new Set(stems.map(marks.stem)),
  ];
}

/** Stems of a message's words; none where its organization's language has no rules. */
function stemsOf({ language, topic, renderedContent }: Indexed): string[] {
  const stems: string[] = [];
  const stem = stemIn(language);
  if (!stem) return stems;
  addKeysOf(stems, topic, stem);
  addKeysOfHtml(stems, renderedContent, stem);
  return stems;
}

/** The words of a message's topic, and the mark behind them. */
function topicKeys(topic: string): string[] {
  const keys: string[] = [];
  addKeysOf(keys, topic);
  keys.push(border);
  return keys;
}

/** The words of a message in order: topic, border, content. */
function keysOf({ topic, renderedContent }: Indexed): string[] {
  const keys = topicKeys(topic);
  addKeysOfHtml(keys, renderedContent);
  return keys;
}

/** A message in the form of the engine's index. */
export const documentOf = (dialect: Dialect, message: Indexed): string =>
  searchIndexOf(dialect).documentOf(marksOf(message, stemsOf(message)), keysOf(message));

/**
 * See `documentOf`; `pace` is called with the length of each part of the HTML, with turns for other
 * work.
 */
export async function documentInTurns(
  dialect: Dialect,
  message: Indexed,
  pace: (length: number) => Promise<void> | undefined,
): Promise<string> {
  const keys = topicKeys(message.topic);
  const stems: string[] = [];
  const stem = stemIn(message.language);
  if (stem) addKeysOf(stems, message.topic, stem);
  for (const { html, words } of partsOfHtml(message.renderedContent)) {
    for (const { key } of words) keys.push(key);
    if (stem) addKeysOfHtml(stems, html, stem);
    const others = pace(html.length);
    if (others) await others;
  }
  return searchIndexOf(dialect).documentOf(marksOf(message, stems), keys);
}

/** Whether a condition matches a message, as in the index. */
export function holdsOf(match: Match, message: Indexed): boolean {
  const found = new Set(marksOf(message, stemsOf(message)));
  const keys = keysOf(message);
  const holds = (part: Match): boolean => {
    switch (part.kind) {
      case "phrase":
        return part.keys.length === 1 && found.has(part.keys[0] ?? "")
          ? true
          : hasPhrase(keys, part.keys);
      case "not":
        return !holds(part.of);
      case "all":
        return part.of.every(holds);
      case "any":
        return part.of.some(holds);
    }
  };
  return holds(match);
}

const hasPhrase = (keys: readonly string[], wanted: readonly string[]) =>
  keys.some((key, at) => key === wanted[0] && wanted.every((one, i) => keys[at + i] === one));
