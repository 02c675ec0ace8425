import type { Reader } from "../../db/reader";
import { rememberedItems } from "../memory/remembered-items";
import type { NamedPerson } from "../people/users/shown";
import { completeMessages } from "./complete";
import { findMessages, type PlacedMessage } from "./queries";
import { type MessageSize, sizeInMemory, storedSizes } from "./sizes";
import {
  addressMask,
  type FullMessage,
  guardedPeople,
  type MessageView,
  messageWire,
} from "./wire";

/** Bytes of the messages that were read last that are remembered, of all realms together. */
const rememberedBytesMax = 32 * 1024 * 1024;
/**
 * Memory that a remembered message takes beside what it shows, in bytes: its objects, arrays and
 * maps. It is measured (`docs/decisions/2026-11-23-steady-memory.md`), because a guess that is too
 * low lets the memory of a server grow.
 */
const messageBytes = 2_900;
/** A longer text is written anew each time, and of the others so many variants are remembered. */
const rememberedLengthMax = 8_192;
const variantsMax = 8;
/** So few messages are read without a look at their sizes. */
const unmeasuredMax = 4;

/** A message, and its JSON by variant: there are few, because most readers get one of them. */
export interface MessageTexts {
  message: FullMessage;
  /** The people in it whose real addresses not everybody may read: they make for more variants. */
  guarded: NamedPerson[];
  texts: Map<string, string>;
  /** Worked out when it is asked for first. */
  size: MessageSize | undefined;
}

export const makeTexts = (message: FullMessage): MessageTexts => ({
  message,
  texts: new Map(),
  size: undefined,
  guarded: guardedPeople(message),
});

/** A message that was just sent, as its write leaves it in memory. */
const isSent = (live: unknown): live is { message: FullMessage; guarded: NamedPerson[] } =>
  typeof live === "object" && live !== null && "message" in live && "guarded" in live;

const messages = rememberedItems<MessageTexts>({
  tables: ["messages", "users", "channels", "linkifiers"],
  changedBy: [
    { type: "reaction", field: "message_id" },
    { type: "submessage", field: "message_id" },
    { type: "update_message", field: "message_ids" },
  ],
  broughtBy: {
    type: "message",
    field: "message_id",
    itemOf: (live) =>
      isSent(live)
        ? { message: live.message, guarded: live.guarded, texts: new Map(), size: undefined }
        : undefined,
  },
  sizeBytesMax: rememberedBytesMax,
  // Its sources, and a variant of either.
  sizeBytesOf({ message }) {
    const { content, rendered, rest } = sizeInMemory(message);
    return messageBytes + 2 * (content + rendered + rest);
  },
  async load(reader, realmId, ids) {
    const found = await completeMessages(reader, realmId, await findMessages(reader, realmId, ids));
    return new Map(found.map((message) => [message.id, makeTexts(message)]));
  },
});

/**
 * Messages by id for readers outside writes, without looking at who may read them. A missing one is
 * left out.
 */
export const readMessages = (
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, MessageTexts>> => messages.read(reader, realmId, ids);

/**
 * Limit of the messages that are read: the first `countMin` whatever they take, and more up to so
 * many bytes.
 */
export interface ReadLimit {
  countMin: number;
  sizeBytesMax: number;
  /** The bytes of a message that count. */
  sizeBytesOf(size: MessageSize): number;
}

/**
 * The first of some messages, in the order of their ids; those of which nothing is left are left
 * out.
 */
export interface FirstMessages {
  messages: MessageTexts[];
  /** Number of the ids whose messages these are; the others are beyond the limit. */
  count: number;
  /** About how many bytes they take in an answer. */
  sizeBytes: number;
}

/**
 * Reads messages for readers outside writes as far as a limit allows: none beyond it leaves the
 * database.
 */
export async function readFirstMessages(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
  limit: ReadLimit,
): Promise<FirstMessages> {
  let first = { count: ids.length, sizeBytes: 0 };
  const textsById = await messages.read(reader, realmId, ids, async (found, missing) => {
    if (missing.length <= unmeasuredMax) return missing;
    const sizes = await storedSizes(reader, realmId, missing);
    first = countWithin(ids, limit, (id) => sizes.get(id) ?? sizeOf(found.get(id)));
    const among = new Set(ids.slice(0, first.count));
    return missing.filter((id) => among.has(id));
  });
  return firstWithin(ids.slice(0, first.count), limit, textsById);
}

/** The known messages of some, as far as a limit allows. */
function firstWithin(
  ids: readonly number[],
  limit: ReadLimit,
  textsById: ReadonlyMap<number, MessageTexts>,
): FirstMessages {
  const { count, sizeBytes } = countWithin(ids, limit, (id) => sizeOf(textsById.get(id)));
  const messages: MessageTexts[] = [];
  for (let index = 0; index < count; index++) {
    const texts = textsById.get(ids[index] ?? 0);
    if (texts) messages.push(texts);
  }
  return { messages, count, sizeBytes };
}

function sizeOf(texts: MessageTexts | undefined): MessageSize | undefined {
  if (texts) texts.size ??= sizeInMemory(texts.message);
  return texts?.size;
}

function countWithin(
  ids: readonly number[],
  { countMin, sizeBytesMax, sizeBytesOf }: ReadLimit,
  sizeById: (id: number) => MessageSize | undefined,
): { count: number; sizeBytes: number } {
  let sizeBytes = 0;
  for (let index = 0; index < ids.length; index++) {
    const size = sizeById(ids[index] ?? 0);
    const next = size ? sizeBytes + sizeBytesOf(size) : sizeBytes;
    if (next > sizeBytesMax && index >= countMin) return { count: index, sizeBytes };
    sizeBytes = next;
  }
  return { count: ids.length, sizeBytes };
}

/**
 * Places of messages and their senders, for a write: oldest first, without looking at who may read
 * them.
 */
export async function findPlaced(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<PlacedMessage[]> {
  const rememberedTexts = await messages.findRemembered(reader, realmId, ids);
  const found: PlacedMessage[] = [...rememberedTexts.values()].map(({ message }) => message);
  const missing = ids.filter((id) => !rememberedTexts.has(id));
  return [...found, ...(await findMessages(reader, realmId, missing))].sort((a, b) => a.id - b.id);
}

/**
 * Message objects as JSON for one who reads them, up to where the value of their last member, the
 * flags, comes.
 */
export function textWriter(view: MessageView): (texts: MessageTexts) => string {
  const {
    applyMarkdown,
    clientGravatar,
    emptyTopicName,
    isOfficialClient,
    realmHost,
    editHistory,
    onlooker,
  } = view;
  const variant =
    [applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient].map(Number).join("") +
    editHistory +
    realmHost;
  const write = ({ message }: MessageTexts) =>
    `${JSON.stringify(messageWire(message, view)).slice(0, -1)},"flags":`;
  // Each guest sees a different set of people.
  if (onlooker.seen !== undefined) return write;
  return (message) => {
    const { guarded, texts } = message;
    const mask = guarded.length === 0 ? "" : addressMask(guarded, onlooker);
    const key = mask === "" ? variant : `${variant} ${mask}`;
    let text = texts.get(key);
    if (text === undefined) {
      text = write(message);
      if (text.length > rememberedLengthMax) return text;
      if (texts.size >= variantsMax) texts.clear();
      texts.set(key, text);
    }
    return text;
  };
}
