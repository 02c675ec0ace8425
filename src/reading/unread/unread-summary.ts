import type { Reader } from "../../../db/reader";
import { openChannelIds, type Periods } from "../../core/reading-right/periods";
import { listPeriods } from "../../core/reading-right/stored";
import { makePace, turn } from "../../core/turn";
import { newestMessageId } from "../../people/users/queries";
import type { MessageReader } from "../queries";
import {
  blockKey,
  blockOf,
  directScope,
  hasBit,
  listBlocks,
  loadBlocksFrom,
  type ReadBlocks,
} from "../read-blocks";
import { findUnreadIn } from "./find-unread";
import { type Basis, Gathering, stretchesSince, type UnreadGroup } from "./gathering";
import { holdNewest, isPrepared, unreadIndexAt } from "./held-unread";
import { splitByReading } from "./split-by-reading";
import { type HeldStretch, makePlace, type UnreadIndex } from "./unread-index";
import { everywhere, idMax, type Line, unreadLines } from "./unread-lines";

type Who = Pick<MessageReader, "realmId" | "userId">;

export const unreadBounds = {
  /** Number of unread messages in the answer, the newest, where there are more. */
  told: 50_000,
  /**
   * Number of newer ones that are told beside those that were grouped before. Beyond it all are
   * grouped again, because to leave out the oldest each time would be to write all ids each time.
   */
  newer: 2_500,
};

/**
 * Number of the newest messages that are searched: somebody who has read most of them does not get
 * older ones.
 */
const lookedAtMax = () => 2 * unreadBounds.told;
const toldMax = () => unreadBounds.told + unreadBounds.newer;

/** A user's unread messages in the form in which clients count them. */
export interface UnreadSummary {
  count: number;
  /** Whether older unread messages may be missing. */
  isCut: boolean;
  /** The topic with the oldest message first. */
  topics: UnreadGroup[];
  conversations: UnreadGroup[];
  /**
   * Ids of messages that mention everybody in their channel or conversation; may contain other ids.
   */
  wildcards: ReadonlySet<number>;
}

/**
 * The newest of somebody's unread messages, for a reader with a snapshot: mostly from
 * the realm's index in memory, and from newer messages. The cost depends on the answer, not on how
 * many more are unread.
 */
export async function summarizeUnread(reader: Reader, who: Who): Promise<UnreadSummary> {
  const asked = await ask(reader, who);
  const others = await unreadElsewhere(reader, who, asked);
  const { gathering, wildcards, isCut } =
    (await gatherHeld(reader, who, asked)) ?? (await gatherFound(reader, who, asked));
  for (const row of others) gathering.add(row.id, makePlace(row));
  const more = others.filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id);
  const groups = gathering.newestGroups(toldMax());
  return {
    count: Math.min(gathering.count, toldMax()),
    isCut: isCut || gathering.count >= unreadBounds.told,
    topics: groups.filter(({ place }) => place.channelId !== null),
    conversations: groups.filter(({ place }) => place.channelId === null),
    wildcards: more.length === 0 ? wildcards : new Set([...wildcards, ...more]),
  };
}

/** Unread messages in groups, to which others may be added. */
interface Found {
  gathering: Gathering;
  wildcards: ReadonlySet<number>;
  /** Whether older messages were not searched. */
  isCut: boolean;
}

/** The facts that somebody's unread messages depend on. */
interface Asked {
  newest: number;
  periods: Periods;
  lines: readonly Line[];
  /** All of the user's exceptions, if there are few. */
  exceptions: ReadBlocks | undefined;
}

async function ask(reader: Reader, who: Who): Promise<Asked> {
  const { realmId, userId } = who;
  // In parallel, so that PostgreSQL gets the statements at once.
  const [newest, periods, lines, exceptions] = await Promise.all([
    newestMessageId(reader, realmId),
    listPeriods(reader, realmId, userId),
    unreadLines(reader, who, everywhere),
    listBlocks(reader, who),
  ]);
  return { newest, periods, lines, exceptions };
}

/**
 * Messages that are unread by an exception, or were moved away from channels that the user has
 * left: usually none.
 */
async function unreadElsewhere(reader: Reader, who: Who, { lines, periods, exceptions }: Asked) {
  const joined = openChannelIds(periods);
  const scopes =
    exceptions && new Set([...exceptions.keys()].map((key) => Number(key.split(":")[0])));
  const searchedLines = lines.filter(({ kind, scope }) =>
    kind === "exceptions" ? !scopes || scopes.has(scope) : kind === "moved" && !joined.has(scope),
  );
  if (searchedLines.length === 0) return [];
  const slice = { side: "before", anchor: idMax, count: unreadBounds.told } as const;
  const ids = await findUnreadIn(reader, who, everywhere, searchedLines, slice);
  return (await splitByReading(reader, who, ids ?? [])).unread;
}

/**
 * Whether a line is in the index: those of channels, with everything that was moved from there, and
 * of direct messages.
 */
const isHeld = ({ kind }: Line) => kind === "home" || kind === "direct";

/** The stretches above the watermarks of indexed lines. */
function heldStretches({ lines, newest }: Asked): HeldStretch[] {
  const stretches = lines.filter(isHeld).map(({ kind, scope, place, after, upTo }): HeldStretch => {
    return { line: kind === "direct" ? -place : scope, after, upTo: Math.min(upTo, newest) };
  });
  return stretches.filter(({ after, upTo }) => after < upTo);
}

/**
 * Loads into memory the messages that `summarizeUnread` needs, and groups them, with turns for other
 * work in between: these may be tens of thousands. Not within a snapshot.
 */
export async function holdUnread(reader: Reader, who: Who): Promise<void> {
  if (await isPrepared(reader, who.realmId, who.userId)) return;
  const asked = await ask(reader, who);
  const { newest } = asked;
  const index = await unreadIndexAt(reader, who.realmId, newest);
  const { generation } = index;
  const stretches = heldStretches(asked);
  const wanted = { count: unreadBounds.told, stretches, newest };
  const above = await holdNewest(reader, who.realmId, index, wanted, turn);
  if (index.generation !== generation) return;
  if (above !== undefined && index.isLong(index.countAbove(stretches, above)))
    await gatherAbove(reader, who, asked, { index, generation, above }, makePace(messagesPerTurn));
  // Somebody with many is asked again each time, because they are grouped ahead.
  else index.prepared.add(who.userId);
}

/** Number of messages that are grouped at once. */
const messagesPerTurn = 4_096;
type Pace = (messages: number) => Promise<void> | undefined;

/**
 * Undefined where the index contains later messages than the reader sees, or was dropped meanwhile.
 */
async function gatherHeld(reader: Reader, who: Who, asked: Asked): Promise<Found | undefined> {
  const { newest } = asked;
  const stretches = heldStretches(asked);
  const index = await unreadIndexAt(reader, who.realmId, newest);
  const { generation, wildcards } = index;
  if (index.upTo === undefined) return undefined;
  // More messages than are answered, if some of them are read.
  for (let count = unreadBounds.told; ; ) {
    const above = await holdNewest(reader, who.realmId, index, { count, stretches, newest });
    if (above === undefined) return undefined;
    const gathering = await gatherAbove(reader, who, asked, { index, generation, above });
    if (index.generation !== generation) return undefined;
    if (above === 0 || gathering.count >= unreadBounds.told || count === lookedAtMax())
      return { gathering, wildcards, isCut: above > 0 };
    count = Math.min(
      lookedAtMax(),
      count + Math.max(2 * (unreadBounds.told - gathering.count), Math.ceil(count / 4)),
    );
  }
}

/** The messages above an id that an index held in a generation, which may be over by now. */
interface Held {
  index: UnreadIndex;
  generation: number;
  above: number;
}

/**
 * Groups the indexed messages above an id. Many are remembered in their groups, so that the next
 * time only newer ones are added.
 */
async function gatherAbove(
  reader: Reader,
  who: Who,
  asked: Asked,
  held: Held,
  pace?: Pace,
): Promise<Gathering> {
  const { index } = held;
  const basis = await basisOf(reader, who, asked, held);
  const before = index.gatheredOf(who.userId);
  const since = before && stretchesSince(before.basis, basis);
  if (since) {
    const gathering = new Gathering(basis.channels, before.gathering);
    await addUnread(gathering, who, index, { ...basis, stretches: since });
    if (gathering.count <= toldMax()) return gathering;
  }
  const gathering = new Gathering(basis.channels);
  await addUnread(gathering, who, index, basis, pace);
  if (index.generation !== basis.generation || !index.isLong(gathering.count)) return gathering;
  if (pace) await gathering.writeJson(pace);
  index.keepGathered(who.userId, { basis, gathering });
  index.prepared.delete(who.userId);
  return new Gathering(basis.channels, gathering);
}

async function basisOf(
  reader: Reader,
  who: Who,
  asked: Asked,
  { generation, above }: Held,
): Promise<Basis> {
  const { periods, exceptions } = asked;
  const stretches = heldStretches(asked);
  const scopes = new Set(stretches.map(({ line }) => Math.max(line, directScope)));
  const blocks = exceptions ?? (await loadBlocksFrom(reader, who, [...scopes], blockOf(above)));
  return { generation, above, stretches, blocks, channels: openChannelIds(periods) };
}

/** The lines of the index are read to the ends that they have at the beginning. */
async function addUnread(
  gathering: Gathering,
  { userId }: Who,
  index: UnreadIndex,
  { stretches, blocks, above }: Basis,
  pace?: Pace,
): Promise<void> {
  const parts = stretches.map((stretch) => {
    const after = Math.max(stretch.after, above);
    return { line: stretch.line, messages: index.messagesOf({ ...stretch, after }) };
  });
  for (const { line, messages } of parts) {
    const isExcepted = exceptionsOf(blocks, Math.max(line, directScope));
    for (const some of messages) {
      gathering.addUnread(some, userId, isExcepted);
      await pace?.(some.end - some.start);
    }
  }
}

/**
 * Whether messages of a scope have their bit set. The function must be called with ascending ids.
 */
function exceptionsOf(blocks: ReadBlocks, scope: number): (id: number) => boolean {
  if (blocks.size === 0) return () => false;
  let last: { block: number; bits: Buffer | undefined } = { block: -1, bits: undefined };
  return (id) => {
    const block = blockOf(id);
    if (last.block !== block) last = { block, bits: blocks.get(blockKey(scope, block)) };
    return last.bits !== undefined && hasBit(last.bits, id);
  };
}

/** Collects the unread messages from the database alone, where the index cannot be used. */
async function gatherFound(reader: Reader, who: Who, { lines, periods }: Asked): Promise<Found> {
  const slice = { side: "before", anchor: idMax, count: unreadBounds.told } as const;
  const joined = new Set(lines.filter(({ kind }) => kind === "home").map(({ scope }) => scope));
  const searchedLines = lines.filter(
    (line) => isHeld(line) || (line.kind === "moved" && joined.has(line.scope)),
  );
  const ids = (await findUnreadIn(reader, who, everywhere, searchedLines, slice)) ?? [];
  const { unread } = await splitByReading(reader, who, ids);
  const rows = unread.sort((a, b) => a.id - b.id);
  const wildcards = new Set(
    rows.filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id),
  );
  const gathering = new Gathering(openChannelIds(periods));
  for (const row of rows) gathering.add(row.id, makePlace(row));
  return { gathering, wildcards, isCut: false };
}
