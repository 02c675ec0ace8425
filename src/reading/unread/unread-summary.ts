import type { Reader } from "../../../db/reader";
import { openChannelIds, type Periods } from "../../core/reading-right/periods";
import { listPeriods } from "../../core/reading-right/stored";
import { turn } from "../../core/turn";
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
import { holdNewest, isPrepared, unreadIndexAt } from "./held-unread";
import { splitByReading } from "./split-by-reading";
import {
  type HeldMessages,
  type HeldStretch,
  makePlace,
  type Place,
  type UnreadIndex,
} from "./unread-index";
import { everywhere, idMax, type Line, unreadLines } from "./unread-lines";

type Who = Pick<MessageReader, "realmId" | "userId">;

/** Number of unread messages in the answer, the newest first. */
export const unreadMax = 50_000;

/**
 * Number of the newest messages that are searched: somebody who has read most of them does not get
 * older ones.
 */
const lookedAtMax = 2 * unreadMax;

/** The unread messages of a topic or of a direct conversation, oldest first. */
export interface UnreadGroup {
  /** Place in the spelling of its newest message. */
  place: Place;
  ids: number[];
}

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
 * The newest `unreadMax` of somebody's unread messages, for a reader with a snapshot: mostly from
 * the realm's index in memory, and from newer messages. The cost depends on the answer, not on how
 * many more are unread.
 */
export async function summarizeUnread(reader: Reader, who: Who): Promise<UnreadSummary> {
  const asked = await ask(reader, who);
  const others = await unreadElsewhere(reader, who, asked);
  const gathering =
    (await gatherHeld(reader, who, asked)) ?? (await gatherFound(reader, who, asked.lines));
  for (const row of others) gathering.add(row.id, makePlace(row));
  const more = others.filter(({ mentionsAllOf }) => mentionsAllOf !== null).map(({ id }) => id);
  const { wildcards } = gathering;
  return {
    ...gathering.groups(),
    wildcards: more.length === 0 ? wildcards : new Set([...wildcards, ...more]),
  };
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
  const slice = { side: "before", anchor: idMax, count: unreadMax } as const;
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
 * Loads into memory the messages that `summarizeUnread` needs, with turns for other work in
 * between: after a start, or after a message was moved, these may be tens of thousands. Not within
 * a snapshot.
 */
export async function holdUnread(reader: Reader, who: Who): Promise<void> {
  if (await isPrepared(reader, who.realmId, who.userId)) return;
  const asked = await ask(reader, who);
  const { newest } = asked;
  const index = await unreadIndexAt(reader, who.realmId, newest);
  const { generation } = index;
  await holdNewest(
    reader,
    who.realmId,
    index,
    { count: unreadMax, stretches: heldStretches(asked), newest },
    turn,
  );
  if (index.generation === generation) index.prepared.add(who.userId);
}

/**
 * Undefined where the index contains later messages than the reader sees, or was dropped meanwhile.
 */
async function gatherHeld(reader: Reader, who: Who, asked: Asked): Promise<Gathering | undefined> {
  const { newest } = asked;
  const stretches = heldStretches(asked);
  const index = await unreadIndexAt(reader, who.realmId, newest);
  const { generation } = index;
  if (index.upTo === undefined) return undefined;
  // More messages than are answered, if some of them are read.
  for (let count = unreadMax; ; ) {
    const above = await holdNewest(reader, who.realmId, index, { count, stretches, newest });
    if (above === undefined) return undefined;
    const gathering = await gatherAbove(reader, who, asked, index, stretches, above);
    if (index.generation !== generation) return undefined;
    gathering.isCut = above > 0;
    if (above === 0 || gathering.count >= unreadMax || count === lookedAtMax) return gathering;
    count = Math.min(
      lookedAtMax,
      count + Math.max(2 * (unreadMax - gathering.count), Math.ceil(count / 4)),
    );
  }
}

async function gatherAbove(
  reader: Reader,
  who: Who,
  { periods, exceptions }: Asked,
  index: UnreadIndex,
  stretches: readonly HeldStretch[],
  above: number,
): Promise<Gathering> {
  const scopes = new Set(stretches.map(({ line }) => Math.max(line, directScope)));
  const blocks = exceptions ?? (await loadBlocksFrom(reader, who, [...scopes], blockOf(above)));
  const gathering = new Gathering(periods, index.wildcards);
  for (const stretch of stretches) {
    const isExcepted = exceptionsOf(blocks, Math.max(stretch.line, directScope));
    const after = Math.max(stretch.after, above);
    gathering.addUnread(index.messagesOf({ ...stretch, after }), who.userId, isExcepted);
  }
  return gathering;
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
async function gatherFound(reader: Reader, who: Who, lines: readonly Line[]): Promise<Gathering> {
  const slice = { side: "before", anchor: idMax, count: unreadMax } as const;
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
  const gathering = new Gathering(await listPeriods(reader, who.realmId, who.userId), wildcards);
  for (const row of rows) gathering.add(row.id, makePlace(row));
  return gathering;
}

interface Gathered extends UnreadGroup {
  newest: number;
  isInOrder: boolean;
}

/**
 * Groups messages by their places, without those in channels that the user is not subscribed to
 * now.
 */
class Gathering {
  count = 0;
  /** Whether older messages were not searched. */
  isCut = false;
  private readonly byKey = new Map<string, Gathered>();
  /** Keyed by objects, because lookups by text are slower. */
  private readonly byPlace = new Map<Place, Gathered>();
  private readonly channels: ReadonlySet<number>;

  constructor(
    periods: Periods,
    readonly wildcards: ReadonlySet<number>,
  ) {
    this.channels = openChannelIds(periods);
  }

  /** Adds the messages that a user has not read. Excepted ones are as they were not from the start. */
  addUnread(
    { ids, places, readers, start, end }: HeldMessages,
    userId: number,
    isExcepted: (id: number) => boolean,
  ) {
    for (let i = start; i < end; i++) {
      const [id, place] = [ids[i], places[i]];
      if (id === undefined || place === undefined) return;
      if (isExcepted(id) === (readers[i] === userId)) this.add(id, place);
    }
  }

  add(id: number, place: Place) {
    const group = this.byPlace.get(place) ?? this.comeTo(place);
    if (!group) return;
    if (id > group.newest) {
      group.newest = id;
      group.place = place;
    } else group.isInOrder = false;
    group.ids.push(id);
    this.count += 1;
  }

  /** The newest `unreadMax` of them. */
  groups(): Omit<UnreadSummary, "wildcards"> {
    const groups = [...this.byKey.values()];
    for (const { ids, isInOrder } of groups) if (!isInOrder) ids.sort((a, b) => a - b);
    const newestGroups = this.count > unreadMax ? cutOff(groups, this.count - unreadMax) : groups;
    const ordered = newestGroups
      .filter(({ ids }) => ids.length > 0)
      .sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0));
    return {
      count: Math.min(this.count, unreadMax),
      isCut: this.isCut || this.count >= unreadMax,
      topics: ordered.filter(({ place }) => place.channelId !== null),
      conversations: ordered.filter(({ place }) => place.channelId === null),
    };
  }

  private comeTo(place: Place): Gathered | undefined {
    const { channelId, key } = place;
    if (channelId !== null && !this.channels.has(channelId)) return undefined;
    const found = this.byKey.get(key) ?? { place, ids: [], newest: 0, isInOrder: true };
    this.byKey.set(key, found);
    this.byPlace.set(place, found);
    return found;
  }
}

/** Leaves out the `count` oldest messages. */
function cutOff(groups: readonly UnreadGroup[], count: number): UnreadGroup[] {
  const ids = Float64Array.from(groups.flatMap((group) => group.ids)).sort();
  const oldest = ids[count] ?? 0;
  return groups.map(({ place, ids: all }) => ({ place, ids: all.filter((id) => id >= oldest) }));
}
