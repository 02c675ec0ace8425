import type { Context, Person } from "../core/context";
import { isGuest } from "../core/rights/role";
import { makePace, turn } from "../core/turns/turn";
import { isZulipClient } from "../core/zulip-client";
import { viewerOf } from "../people/users/viewer";
import { historyPolicyOf } from "../reading/edit-history";
import { flagsOfMessages, noFlags, readOnly } from "../reading/flags-of-messages";
import { filterReadable, readerOf } from "../reading/queries";
import type { MessageSize } from "../reading/sizes";
import {
  type FirstMessages,
  type MessageTexts,
  readFirstMessages,
  type SizedJson,
  textWriter,
} from "../reading/texts";
import { type FullMessage, type MessageView, peopleIn } from "../reading/wire";
import { matchMembers } from "./narrow/matches";
import type { SearchWords } from "./search/query";
import { htmlPerTurn } from "./search/words";

/** Form of messages that a client wants. */
export interface MessageChoices {
  applyMarkdown?: boolean | undefined;
  clientGravatar?: boolean | undefined;
  allowEmptyTopicName?: boolean | undefined;
}

/** Messages read at one moment, with the facts needed to write them for the actor. */
export interface MessagesAtHand {
  /** In the order in which they are written, and the flags of each. */
  messages: MessageTexts[];
  flags: readonly (readonly string[])[];
  view: MessageView;
  searched: SearchWords | undefined;
  /** The requested ids whose messages were not read, because they are beyond this piece. */
  left: number[];
  /** About how many bytes the messages read so far take, with those of earlier pieces. */
  sizeBytes: number;
  /** Sizes of messages that are computed, those of the following pieces among them. */
  measured: Map<number, MessageSize>;
  /** Whether the answer has no room for the messages that are left. */
  isFull: boolean;
}

/** Number and bytes of the messages that are read and written in one turn of the event loop. */
export const pieceMax = { messages: 400, sizeBytes: 131_072 };

interface ReadingOptions {
  searched?: SearchWords | undefined;
  /**
   * Whether the ids were found at the moment of this read, so that the actor may certainly read
   * their messages.
   */
  areReadable?: boolean;
  /** An earlier piece of the answer; undefined for the first one. */
  before?: Pick<MessagesAtHand, "sizeBytes" | "measured"> | undefined;
  /** Announces about how many bytes the messages will take in the answer; may refuse. */
  expect(sizeBytes: number): void;
}

/**
 * Least number of messages in an answer: an anchor, and one on either side from which the client
 * can continue.
 */
const countMin = 3;

/**
 * Reads the first of some messages: a piece of an answer, as far as that has room. Messages that
 * the actor may not read now are left out. May be used within a snapshot, unlike the writing that
 * follows.
 */
export async function readForAnswer(
  ctx: Context<Person>,
  choices: MessageChoices,
  ids: readonly number[],
  { searched, areReadable = false, before, expect }: ReadingOptions,
): Promise<MessagesAtHand> {
  const { reader, realm, app } = ctx;
  const bytesLeft = app.config.answerSizeBytesMax - (before?.sizeBytes ?? 0);
  const measured = before?.measured ?? new Map<number, MessageSize>();
  const limit = {
    measured,
    countMin: before ? Number(bytesLeft >= pieceMax.sizeBytes) : countMin,
    sizeBytesMax: Math.min(pieceMax.sizeBytes, bytesLeft),
    sizeBytesOf: sizeIn(choices, searched),
  };
  const first = await readFirstMessages(reader, realm.id, ids.slice(0, pieceMax.messages), limit);
  const sizeBytes = (before?.sizeBytes ?? 0) + first.sizeBytes;
  const left = ids.slice(first.count);
  expect(expectedBytes(sizeBytes, first, ids.length, app.config.answerSizeBytesMax));
  const messages = areReadable ? first.messages : await onlyReadable(ctx, first.messages);
  const found = messages.map(({ message }) => message);
  const view: MessageView = {
    applyMarkdown: choices.applyMarkdown ?? true,
    clientGravatar: choices.clientGravatar ?? true,
    emptyTopicName: choices.allowEmptyTopicName ?? false,
    isOfficialClient: isZulipClient(ctx.client),
    realmHost: realm.host,
    editHistory: historyPolicyOf(realm),
    viewer: await viewerOf(reader, ctx, isGuest(ctx.actor.user.role) ? peopleIn(found) : []),
  };
  const flags = await flagsOfMessages(reader, readerOf(ctx), found);
  const isFull = first.count === 0 && left.length > 0;
  return { messages, flags, view, searched, left, sizeBytes, measured, isFull };
}

/** About how many bytes an answer takes if its other messages are as long as those of a piece. */
const expectedBytes = (
  sizeBytes: number,
  { count, sizeBytes: pieceBytes }: Pick<FirstMessages, "count" | "sizeBytes">,
  idsCount: number,
  sizeBytesMax: number,
): number =>
  count === 0
    ? sizeBytes
    : Math.max(
        sizeBytes,
        Math.min(sizeBytesMax, sizeBytes + ((idsCount - count) * pieceBytes) / count),
      );

/**
 * The bytes of a message in an answer: one of its texts, and its HTML twice where matches are
 * highlighted.
 */
function sizeIn({ applyMarkdown = true }: MessageChoices, searched: SearchWords | undefined) {
  return ({ content, rendered, rest }: MessageSize) =>
    (applyMarkdown ? rendered : content) + (searched ? rendered : 0) + rest;
}

/**
 * The messages that the actor may read now, because rights may have changed since they were found.
 */
async function onlyReadable(ctx: Context<Person>, texts: MessageTexts[]): Promise<MessageTexts[]> {
  const messages = texts.map(({ message }) => message);
  const readable = await filterReadable(ctx.reader, readerOf(ctx), messages);
  if (readable.length === texts.length) return texts;
  const among = new Set<FullMessage>(readable);
  return texts.filter(({ message }) => among.has(message));
}

/** Message objects as JSON, and the ids of the messages without room in the answer. */
export interface WrittenMessages {
  /** By id, ascending: pieces of the objects with commas between them, to be joined. */
  pieces: string[];
  left: number[];
}

/** UTF-16 units of an answer after which other work gets its turn. */
const lengthPerTurn = 131_072;
/** The length of an answer that takes as long as a character of HTML in which words are found. */
const highlightCost = lengthPerTurn / htmlPerTurn;

/**
 * A message object in two parts: its cached text, and its end with the flags. Joining them would
 * copy the text again.
 */
interface Written {
  id: number;
  text: string;
  /** With the comma after the object. */
  end: string;
}

/** The messages of an answer that are written so far, and their bytes without the commas. */
interface Writing {
  written: Written[];
  sizeBytes: number;
  readonly sizeBytesMax: number;
}

/** Reads the messages of a long answer that are left by a piece, as of the moment of the read. */
type ReadNext = (at: MessagesAtHand) => Promise<MessagesAtHand>;

/**
 * The message objects of the protocol with the actor's flags, as many of the first ones as fit into
 * one answer. `readNext` reads the other pieces of a long answer, each when it is written.
 */
export async function writeMessages(
  first: MessagesAtHand,
  sizeBytesMax: number,
  readNext: ReadNext,
): Promise<WrittenMessages> {
  const writing: Writing = { written: [], sizeBytes: 0, sizeBytesMax };
  const pace = makePace(lengthPerTurn);
  let left: number[] = [];
  for (let at = first; ; at = await readNext(at)) {
    left = [...(await writePiece(at, writing, pace)), ...at.left];
    if (left.length === 0 || left.length > at.left.length || at.isFull) break;
    await turn();
  }
  return { pieces: piecesOf(oldestFirst(writing.written)), left };
}

/** Without pieces for the commas, because an answer is joined faster from fewer pieces. */
function piecesOf(written: readonly Written[]): string[] {
  const pieces: string[] = [];
  for (const { text, end } of written) pieces.push(text, end);
  const last = pieces.pop();
  if (last !== undefined) pieces.push(last.slice(0, -1));
  return pieces;
}

/** Most answers have the newest messages, written from the newest on: there is nothing to sort. */
function oldestFirst(written: Written[]): Written[] {
  let before = Number.POSITIVE_INFINITY;
  for (const { id } of written) {
    if (id > before) return written.sort((a, b) => a.id - b.id);
    before = id;
  }
  return written.reverse();
}

/** Adds messages to the written ones; answers the ids of those that have no room. */
async function writePiece(
  { messages, flags, view, searched }: MessagesAtHand,
  writing: Writing,
  pace: ReturnType<typeof makePace>,
): Promise<number[]> {
  const write = textWriter(view);
  const { written, sizeBytesMax } = writing;
  let index = 0;
  for (const one of messages) {
    const flagsOfMessage = flags[index];
    const text = write(one);
    const end = searched
      ? await foundEnd(flagsOfMessage, one.message, searched, view)
      : flagsEnd(flagsOfMessage);
    writing.sizeBytes += text.sizeBytes + end.sizeBytes;
    if (writing.sizeBytes > sizeBytesMax && written.length >= countMin)
      return messages.slice(index).map(({ message }) => message.id);
    written.push({ id: one.message.id, text: text.json, end: end.json });
    index += 1;
    const highlighted = searched ? one.message.renderedContent.length * highlightCost : 0;
    // No wait where none is due, because each would let a short answer take longer.
    const others = pace(text.json.length + highlighted);
    if (others) await others;
  }
  return [];
}

/** The end of a message object: the value of its last member, or more members as well. */
const endOf = (members: string): SizedJson => ({
  json: `${members}},`,
  sizeBytes: Buffer.byteLength(members) + 1,
});

/** The end of a message object with its matches. */
async function foundEnd(
  flags: readonly string[] = noFlags,
  message: FullMessage,
  searched: SearchWords,
  { emptyTopicName }: MessageView,
): Promise<SizedJson> {
  const matches = await matchMembers(message, searched, emptyTopicName);
  return endOf(`${JSON.stringify(flags)},${matches}`);
}

/** Nearly all messages have no flag or only `read`, so the ends for these lists are made once. */
const ends = new Map([noFlags, readOnly].map((flags) => [flags, endOf(JSON.stringify(flags))]));

/** The end of a message object without matches. */
const flagsEnd = (flags: readonly string[] = noFlags): SizedJson =>
  ends.get(flags) ?? endOf(JSON.stringify(flags));
