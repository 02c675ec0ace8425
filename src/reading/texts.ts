import type { Reader } from "../../db/reader";
import { type GuardedPerson, mayReadGuarded, type Viewer } from "../core/rights/person-visibility";
import { cachedItems, type ItemsInOrder } from "../memory/cached-items";
import { completeMessages } from "./complete";
import { findMessages, findPlaces, type PlacedMessage } from "./queries";
import { type MessageSize, sizeInMemory, storedSizes } from "./sizes";
import {
  addressMask,
  type FullMessage,
  guardedPeople,
  type MessageView,
  messageWire,
} from "./wire";

/** Bytes of the most recently read messages that are cached, of all realms together. */
const cachedBytesMax = 32 * 1024 * 1024;
/**
 * Memory of a cached message in addition to its texts, in bytes: its objects, arrays and maps.
 * Measured (`docs/decisions/2026-11-23-steady-memory.md`), because a low guess lets the memory of a
 * server grow.
 */
const messageBytes = 2_900;
/** A longer text is serialized each time, and of the others this number of variants is cached. */
const cachedLengthMax = 8_192;
const variantsMax = 8;
/** Number of messages that are read without a check of their sizes. */
const unmeasuredMax = 4;

/** JSON of a message or of a part of it, and its bytes, which are counted once. */
export interface SizedJson {
  json: string;
  sizeBytes: number;
}

/** A message, and its JSON by variant: there are few, because most readers share one. */
export interface MessageTexts {
  message: FullMessage;
  /**
   * People in the message whose real addresses not everybody may read, so that there are more
   * variants.
   */
  guarded: GuardedPerson[];
  texts: Map<string, SizedJson>;
  /** Computed on first use. */
  size: MessageSize | undefined;
}

const makeTexts = (message: FullMessage): MessageTexts => ({
  message,
  texts: new Map(),
  size: undefined,
  guarded: guardedPeople(message),
});

/** A message that was just sent, as its write leaves it in memory. */
const isSent = (live: unknown): live is { message: FullMessage; guarded: GuardedPerson[] } =>
  typeof live === "object" && live !== null && "message" in live && "guarded" in live;

const messages = cachedItems<MessageTexts>({
  table: "messages",
  tables: ["users", "channels", "linkifiers"],
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
  sizeBytesMax: cachedBytesMax,
  // Its sources, and a variant of each.
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
 * A message by id for readers outside writes, without a check of rights; undefined for a missing
 * one.
 */
export async function readMessage(
  reader: Reader,
  realmId: number,
  id: number,
): Promise<FullMessage | undefined> {
  const [texts] = await messages.read(reader, realmId, [id]);
  return texts?.message;
}

/**
 * Limit for reading messages: always the first `countMin`, and further ones up to a number of
 * bytes.
 */
export interface ReadLimit {
  countMin: number;
  sizeBytesMax: number;
  /** The bytes of a message that count. */
  sizeBytesOf(size: MessageSize): number;
  /**
   * Sizes that were computed for earlier pieces of the answer, by id; those computed now are added.
   * A message that changed since may be longer.
   */
  measured: Map<number, MessageSize>;
}

/** The first of some messages, in the order of their ids; deleted ones are left out. */
export interface FirstMessages {
  messages: MessageTexts[];
  /** Number of ids that these messages cover; the others are beyond the limit. */
  count: number;
  /** About how many bytes they take in an answer. */
  sizeBytes: number;
}

/**
 * Reads messages for readers outside writes up to a limit; nothing beyond it is read from the
 * database.
 */
export async function readFirstMessages(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
  limit: ReadLimit,
): Promise<FirstMessages> {
  let first = { count: ids.length, sizeBytes: 0 };
  const items = await messages.read(reader, realmId, ids, async (found, missing) => {
    if (missing.length <= unmeasuredMax) return missing;
    const { measured } = limit;
    const unmeasured = missing.filter((id) => !measured.has(id));
    for (const [id, size] of await storedSizes(reader, realmId, unmeasured)) measured.set(id, size);
    first = countWithin(ids, limit, (id, index) => {
      const texts = found[index];
      return texts ? sizeOf(texts) : measured.get(id);
    });
    const among = new Set(ids.slice(0, first.count));
    return missing.filter((id) => among.has(id));
  });
  return firstWithin(items, first.count, limit);
}

/** The first of some messages, up to a number of them and a limit. */
function firstWithin(
  items: ItemsInOrder<MessageTexts>,
  countMax: number,
  { countMin, sizeBytesMax, sizeBytesOf }: ReadLimit,
): FirstMessages {
  const messages: MessageTexts[] = [];
  let sizeBytes = 0;
  for (let index = 0; index < countMax; index++) {
    const texts = items[index];
    if (!texts) continue;
    const next = sizeBytes + sizeBytesOf(sizeOf(texts));
    if (next > sizeBytesMax && index >= countMin) return { messages, count: index, sizeBytes };
    sizeBytes = next;
    messages.push(texts);
  }
  return { messages, count: countMax, sizeBytes };
}

const sizeOf = (texts: MessageTexts): MessageSize => (texts.size ??= sizeInMemory(texts.message));

function countWithin(
  ids: readonly number[],
  { countMin, sizeBytesMax, sizeBytesOf }: ReadLimit,
  sizeAt: (id: number, index: number) => MessageSize | undefined,
): { count: number; sizeBytes: number } {
  let sizeBytes = 0;
  for (let index = 0; index < ids.length; index++) {
    const size = sizeAt(ids[index] ?? 0, index);
    const next = size ? sizeBytes + sizeBytesOf(size) : sizeBytes;
    if (next > sizeBytesMax && index >= countMin) return { count: index, sizeBytes };
    sizeBytes = next;
  }
  return { count: ids.length, sizeBytes };
}

/** Places of messages and their senders, for a write: oldest first, without a check of rights. */
export async function findPlaced(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<PlacedMessage[]> {
  const cachedTexts = await messages.findCached(reader, realmId, ids);
  const found: PlacedMessage[] = [];
  const missing: number[] = [];
  for (const id of ids) {
    const texts = cachedTexts.get(id);
    if (texts) found.push(texts.message);
    else missing.push(id);
  }
  const others = missing.length > 0 ? await findPlaces(reader, realmId, missing) : [];
  return found.concat(others).sort((a, b) => a.id - b.id);
}

/**
 * Serializes message objects for a reader, up to the place of the value of their last member, the
 * flags.
 */
export function textWriter(view: MessageView): (texts: MessageTexts) => SizedJson {
  const {
    applyMarkdown,
    clientGravatar,
    emptyTopicName,
    isOfficialClient,
    realmHost,
    editHistory,
    viewer,
  } = view;
  const choices = `${applyMarkdown},${clientGravatar},${emptyTopicName},${isOfficialClient}`;
  const variant = `${choices},${editHistory},${realmHost}`;
  const write = ({ message }: MessageTexts): SizedJson => {
    const json = `${JSON.stringify(messageWire(message, view)).slice(0, -1)},"flags":`;
    return { json, sizeBytes: Buffer.byteLength(json) };
  };
  // Each guest sees different people, so nothing is shared.
  if (viewer.seen !== undefined) return write;
  const variantFor = variantsFor(variant, viewer);
  return (message) => {
    const { guarded, texts } = message;
    const key = variantFor(guarded);
    let text = texts.get(key);
    if (text === undefined) {
      text = write(message);
      if (text.json.length > cachedLengthMax) return text;
      if (texts.size >= variantsMax) texts.clear();
      texts.set(key, text);
    }
    return text;
  };
}

/**
 * Names the variant of a message for a viewer, by whether they may read the address of each
 * person who guards it. Nearly always that is the sender alone, so these two names are made once.
 */
export function variantsFor(variant: string, viewer: Viewer) {
  const { plain, hidden, shown } = namesOf(variant);
  return (guarded: readonly GuardedPerson[]): string => {
    const person = guarded[0];
    if (person === undefined) return plain;
    if (guarded.length > 1) return `${variant} ${addressMask(guarded, viewer)}`;
    return mayReadGuarded(viewer, person) ? shown : hidden;
  };
}

interface VariantNames {
  plain: string;
  hidden: string;
  shown: string;
}

/**
 * The names of variants, each of them one string object for all requests and events: a map then
 * finds the texts of a message by them without comparing letters.
 */
const namesByVariant = new Map<string, VariantNames>();
const variantNamesMax = 1_000;

function namesOf(variant: string): VariantNames {
  const made = namesByVariant.get(variant);
  if (made) return made;
  if (namesByVariant.size >= variantNamesMax) namesByVariant.clear();
  const names = { plain: variant, hidden: `${variant} 0`, shown: `${variant} 1` };
  namesByVariant.set(variant, names);
  return names;
}
