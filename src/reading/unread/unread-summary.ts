import type { Reader } from "../../../db/reader";
import { type ChannelRow, listChannels } from "../../channels/queries";
import type { OfPerson } from "../../core/context";
import {
  holdsPlace,
  openChannelIds,
  type Periods,
  periodsIn,
} from "../../core/reading-right/periods";
import { hasOpenHistory } from "../../core/reading-right/predicate";
import { listPeriods } from "../../core/reading-right/stored";
import { makePace, turn } from "../../core/turns/turn";
import { newestMessageId } from "../../people/users/queries";
import {
  blockOf,
  directScope,
  listBlocks,
  loadBlocksFrom,
  placeOfBlock,
  type ReadBlocks,
} from "../read-blocks";
import { exceptionsByScope } from "./excepted-ids";
import { findUnreadIn } from "./find-unread";
import { Gathering, type UnreadGroup } from "./gathering";
import type { ChunkPart } from "./indexed-line";
import { isPrepared, loadNewest, unreadIndexAt } from "./load-index";
import { splitByReading } from "./split-by-reading";
import {
  digestOf,
  digestOfBlocks,
  type IndexedRange,
  makePlace,
  type UnreadIndex,
} from "./unread-index";
import { everywhere, idMax, type Line, unreadLines } from "./unread-lines";

export const unreadBounds = {
  /** Number of unread messages in the answer, the newest, where there are more. */
  told: 50_000,
};

/**
 * Number of the newest messages that are searched: somebody who has read most of them does not get
 * older ones.
 */
const searchedMax = () => 2 * unreadBounds.told;

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
export async function summarizeUnread(reader: Reader, who: OfPerson): Promise<UnreadSummary> {
  const asked = await ask(reader, who);
  const others = await unreadElsewhere(reader, who, asked);
  const { gathering, wildcards, isCut } =
    (await gatherIndexed(reader, who, asked)) ?? (await gatherFound(reader, who, asked));
  for (const row of others) gathering.add(row.id, makePlace(row));
  const more = others.filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id);
  const groups = gathering.newestGroups(unreadBounds.told);
  return {
    count: Math.min(gathering.count, unreadBounds.told),
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
  isTold: ReturnType<typeof toldOf>;
  lines: readonly Line[];
  /** All of the user's exceptions, if there are few. */
  exceptions: ReadBlocks | undefined;
}

async function ask(reader: Reader, who: OfPerson): Promise<Asked> {
  const { realmId, userId } = who;
  // In parallel, so that PostgreSQL gets the statements at once.
  const [newest, periods, channels, lines, exceptions] = await Promise.all([
    newestMessageId(reader, realmId),
    listPeriods(reader, realmId, userId),
    listChannels(reader, realmId),
    unreadLines(reader, who, everywhere),
    listBlocks(reader, who),
  ]);
  return { newest, periods, isTold: toldOf(periods, channels), lines, exceptions };
}

/**
 * A function that says whether somebody is told of a message in a place: in a channel that they are
 * subscribed to now, with protected history only if they were subscribed when it came there.
 * `cameAt` is the message's id, the newest id of all when it was moved there, or 0 where it was
 * sent to them there.
 */
function toldOf(periods: Periods, channels: readonly ChannelRow[]) {
  const joined = openChannelIds(periods);
  let guarded: ReadonlySet<number> | undefined;
  return (channelId: number | null, cameAt: number): boolean => {
    if (channelId === null) return true;
    if (!joined.has(channelId)) return false;
    if (cameAt === 0) return true;
    guarded ??= new Set(channels.filter((one) => !hasOpenHistory(one)).map(({ id }) => id));
    return !guarded.has(channelId) || holdsPlace(periodsIn(periods, channelId), cameAt);
  };
}

const makeGathering = ({ isTold }: Asked) =>
  new Gathering(({ channelId, movedAt }) => isTold(channelId, movedAt));

/** Unread messages among these of which the user is told. */
async function toldAmong(reader: Reader, who: OfPerson, { isTold }: Asked, ids: readonly number[]) {
  const { unread } = await splitByReading(reader, who, ids);
  return unread.filter(({ id, channelId, placedAt }) => isTold(channelId, Math.max(id, placedAt)));
}

/**
 * Messages that are unread by an exception, or were moved away from channels that the user has
 * left: usually none.
 */
async function unreadElsewhere(reader: Reader, who: OfPerson, asked: Asked) {
  const { lines, periods, exceptions } = asked;
  const joined = openChannelIds(periods);
  const scopes =
    exceptions && new Set([...exceptions.keys()].map((key) => placeOfBlock(key).scope));
  const searchedLines = lines.filter(({ kind, scope }) =>
    kind === "exceptions" ? !scopes || scopes.has(scope) : kind === "moved" && !joined.has(scope),
  );
  if (searchedLines.length === 0) return [];
  const slice = { side: "before", anchor: idMax, count: unreadBounds.told } as const;
  const ids = await findUnreadIn(reader, who, everywhere, searchedLines, slice);
  return toldAmong(reader, who, asked, ids ?? []);
}

/**
 * Whether a line is in the index: those of channels, with everything that was moved from there, and
 * of direct messages.
 */
const isIndexed = ({ kind }: Line) => kind === "home" || kind === "direct";

/** The ranges above the watermarks of indexed lines. */
function indexedRanges({ lines, newest }: Pick<Asked, "lines" | "newest">): IndexedRange[] {
  const ranges = lines
    .filter(isIndexed)
    .map(({ kind, scope, place, after, upTo }): IndexedRange => {
      return { line: kind === "direct" ? -place : scope, after, upTo: Math.min(upTo, newest) };
    });
  return ranges.filter(({ after, upTo }) => after < upTo);
}

/**
 * Loads into memory the messages that `summarizeUnread` needs, and groups them, with turns for
 * other work in between: these may be tens of thousands. Not within a snapshot.
 */
export async function loadUnread(reader: Reader, who: OfPerson): Promise<void> {
  const { realmId, userId } = who;
  if (await isPrepared(reader, realmId, userId)) return;
  const asked = await ask(reader, who);
  const { newest, periods, exceptions } = asked;
  const ranges = indexedRanges(asked);
  const index = await unreadIndexAt(reader, realmId, newest);
  const { generation, grouped } = index;
  const ahead = {
    // Counted before, because others may displace chunks during the turns.
    forgottenCount: grouped.forgottenCount,
    newest,
    beginnings: digestOf(ranges),
    exceptions: exceptions && digestOfBlocks(exceptions),
  };
  if (index.isGroupedFor(userId, ahead)) return;
  const above = await loadAhead(reader, who, asked, index);
  if (above === undefined || index.generation !== generation) return;
  if (index.isLong(index.countAbove(ranges, above)))
    index.groupedAhead.set(userId, { ...ahead, isAll: above === 0 });
  else index.prepared.set(userId, { newest, periods });
}

/**
 * Loads and groups as many of the newest messages as are needed to tell of enough unread ones;
 * answers the id above which they are. Undefined where the index was dropped meanwhile.
 */
async function loadAhead(
  reader: Reader,
  who: OfPerson,
  asked: Asked,
  index: UnreadIndex,
): Promise<number | undefined> {
  const { newest } = asked;
  const { generation } = index;
  const ranges = indexedRanges(asked);
  for (let count = unreadBounds.told; ; ) {
    const wanted = { count, ranges, newest };
    const above = await loadNewest(reader, who.realmId, index, wanted, turn);
    if (above === undefined || index.generation !== generation) return undefined;
    if (!index.isLong(index.countAbove(ranges, above))) return above;
    await groupAhead(index, ranges, above);
    if (above === 0 || count === searchedMax()) return above;
    const blocks = await blocksAbove(reader, who, asked, above);
    if (index.generation !== generation) return undefined;
    const { count: unread } = gatherAbove(index, who, asked, { above, blocks });
    if (unread >= unreadBounds.told) return above;
    count = withMore(count, unread);
  }
}

/** Number of messages to search where so many contained too few unread ones. */
const withMore = (count: number, unread: number) =>
  Math.min(searchedMax(), count + Math.max(2 * (unreadBounds.told - unread), Math.ceil(count / 4)));

/** Number of messages that are grouped at once. */
const messagesPerTurn = 4_096;

/** Groups the chunks that are wanted above an id. */
async function groupAhead(index: UnreadIndex, ranges: readonly IndexedRange[], above: number) {
  const pace = makePace(messagesPerTurn);
  const { grouped, generation } = index;
  for (const { messages } of messagesAbove(index, ranges, above))
    for (const some of messages) {
      if (index.generation !== generation) return;
      if (!isLargePart(some) || grouped.has(some.chunk)) continue;
      grouped.piecesOf(some.chunk);
      await pace(some.chunk.length);
    }
}

/**
 * Whether so much of a chunk is wanted that the pieces of all of it are worth making. Fewer
 * messages are looked at one by one.
 */
const isLargePart = ({ chunk, start, end }: ChunkPart) => 4 * (end - start) >= chunk.length;

/** The lines of the index above an id, to the ends that they have now. */
const messagesAbove = (index: UnreadIndex, ranges: readonly IndexedRange[], above: number) =>
  ranges.map((range) => {
    const after = Math.max(range.after, above);
    return { line: range.line, messages: index.messagesOf({ ...range, after }) };
  });

/**
 * Groups unread messages from the index. If too few of the newest are unread, older ones are taken
 * as far as `loadUnread` has loaded them: no more are loaded here, because others have no turn
 * within a snapshot. Undefined where the index contains later messages than the reader sees, or was
 * dropped meanwhile.
 */
async function gatherIndexed(
  reader: Reader,
  who: OfPerson,
  asked: Asked,
): Promise<Found | undefined> {
  const { newest } = asked;
  const ranges = indexedRanges(asked);
  const index = await unreadIndexAt(reader, who.realmId, newest);
  const { generation, wildcards } = index;
  if (index.upTo === undefined) return undefined;
  let count = unreadBounds.told;
  let above = await loadNewest(reader, who.realmId, index, { count, ranges, newest });
  for (;;) {
    if (above === undefined) return undefined;
    const blocks = await blocksAbove(reader, who, asked, above);
    if (index.generation !== generation) return undefined;
    const gathering = gatherAbove(index, who, asked, { above, blocks });
    if (index.isLong(gathering.count)) index.prepared.delete(who.userId);
    const isEnough = gathering.count >= unreadBounds.told || count === searchedMax();
    count = withMore(count, gathering.count);
    const older = index.highestWith(count, ranges, index.indexedAbove(ranges));
    if (isEnough || older >= above) return { gathering, wildcards, isCut: above > 0 };
    above = older;
  }
}

/** The exceptions to the user's watermarks above an id. */
async function blocksAbove(
  reader: Reader,
  who: OfPerson,
  asked: Asked,
  above: number,
): Promise<ReadBlocks> {
  if (asked.exceptions) return asked.exceptions;
  const scopes = new Set(indexedRanges(asked).map(({ line }) => Math.max(line, directScope)));
  return loadBlocksFrom(reader, who, [...scopes], blockOf(above));
}

/** Groups the indexed messages above an id. */
function gatherAbove(
  index: UnreadIndex,
  { userId }: OfPerson,
  asked: Asked,
  { above, blocks }: { above: number; blocks: ReadBlocks },
): Gathering {
  const gathering = makeGathering(asked);
  const exceptionsOf = exceptionsByScope(blocks);
  for (const { line, messages } of messagesAbove(index, indexedRanges(asked), above)) {
    const exceptions = exceptionsOf(Math.max(line, directScope));
    for (const some of messages) {
      const pieces = isLargePart(some) ? index.grouped.piecesOf(some.chunk) : undefined;
      gathering.addPart(some, userId, exceptions, pieces);
    }
  }
  return gathering;
}

/** Collects the unread messages from the database alone, where the index cannot be used. */
async function gatherFound(reader: Reader, who: OfPerson, asked: Asked): Promise<Found> {
  const { lines } = asked;
  const slice = { side: "before", anchor: idMax, count: unreadBounds.told } as const;
  const joined = new Set(lines.filter(({ kind }) => kind === "home").map(({ scope }) => scope));
  const searchedLines = lines.filter(
    (line) => isIndexed(line) || (line.kind === "moved" && joined.has(line.scope)),
  );
  const ids = (await findUnreadIn(reader, who, everywhere, searchedLines, slice)) ?? [];
  const rows = (await toldAmong(reader, who, asked, ids)).sort((a, b) => a.id - b.id);
  const wildcards = new Set(
    rows.filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id),
  );
  const gathering = makeGathering(asked);
  for (const row of rows) gathering.add(row.id, makePlace(row));
  return { gathering, wildcards, isCut: false };
}
