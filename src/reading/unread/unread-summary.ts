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
import { type HeldStretch, makePlace, type Place, type UnreadIndex } from "./unread-index";
import { everywhere, idMax, type Line, unreadLines } from "./unread-lines";

type Who = Pick<MessageReader, "realmId" | "userId">;

/** Number of unread messages that are told of, the newest first. */
export const unreadMax = 50_000;

/**
 * So many of the newest messages are looked at for it: of somebody who has read most of them, older
 * ones are not told of.
 */
const lookedAtMax = 2 * unreadMax;

/** The unread messages of a topic or of a direct conversation, oldest first. */
export interface UnreadGroup {
  /** Place in the spelling of the newest of them. */
  place: Place;
  ids: number[];
}

/** A user's unread messages as clients count them. */
export interface UnreadSummary {
  count: number;
  /** Whether there may be older ones that are not told of. */
  isCut: boolean;
  /** The one with the oldest message first. */
  topics: UnreadGroup[];
  conversations: UnreadGroup[];
  /** Ids of messages that mention all of their channel or conversation; there are other ids too. */
  wildcards: ReadonlySet<number>;
}

/**
 * The newest `unreadMax` of somebody's unread messages, for a reader who sees one moment: mostly of
 * what is held in memory for all of the realm's people, and of what is new since. Costs what it
 * tells, however much more is unread.
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

/** The facts that tell what somebody has not read. */
interface Asked {
  newest: number;
  periods: Periods;
  lines: readonly Line[];
  /** All of the user's exceptions, where they are few. */
  exceptions: ReadBlocks | undefined;
}

async function ask(reader: Reader, who: Who): Promise<Asked> {
  const { realmId, userId } = who;
  // At once: on PostgreSQL they travel together.
  const [newest, periods, lines, exceptions] = await Promise.all([
    newestMessageId(reader, realmId),
    listPeriods(reader, realmId, userId),
    unreadLines(reader, who, everywhere),
    listBlocks(reader, who),
  ]);
  return { newest, periods, lines, exceptions };
}

/**
 * Messages that are unread against the rule, or were moved away from channels that the user is not
 * in: mostly there are none.
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
 * Whether a line is held in memory: lines of channels, with all that was moved from there, and of
 * direct messages.
 */
const isHeld = ({ kind }: Line) => kind === "home" || kind === "direct";

/** The stretches above the watermarks of lines that are held. */
function heldStretches({ lines, newest }: Asked): HeldStretch[] {
  const stretches = lines.filter(isHeld).map(({ kind, scope, place, after, upTo }): HeldStretch => {
    return { line: kind === "direct" ? -place : scope, after, upTo: Math.min(upTo, newest) };
  });
  return stretches.filter(({ after, upTo }) => after < upTo);
}

/**
 * Brings into memory what `summarizeUnread` is about to tell, with turns for others in between:
 * after a start, or after a message was moved, that may be tens of thousands of messages. Not
 * within a snapshot.
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

/** Undefined where the index knows more than the reader sees, or was let go of meanwhile. */
async function gatherHeld(reader: Reader, who: Who, asked: Asked): Promise<Gathering | undefined> {
  const { newest } = asked;
  const stretches = heldStretches(asked);
  const index = await unreadIndexAt(reader, who.realmId, newest);
  const { generation } = index;
  if (index.upTo === undefined) return undefined;
  // More than are told of, where some of them have been read.
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
    index.visit({ ...stretch, after: Math.max(stretch.after, above) }, (id, place, readBy) => {
      if (isExcepted(id) === (readBy === who.userId)) gathering.add(id, place);
    });
  }
  return gathering;
}

/** Whether messages of a scope have their bit set, which are asked for in order. */
function exceptionsOf(blocks: ReadBlocks, scope: number): (id: number) => boolean {
  if (blocks.size === 0) return () => false;
  let last: { block: number; bits: Buffer | undefined } = { block: -1, bits: undefined };
  return (id) => {
    const block = blockOf(id);
    if (last.block !== block) last = { block, bits: blocks.get(blockKey(scope, block)) };
    return last.bits !== undefined && hasBit(last.bits, id);
  };
}

/** Gathers the unread messages from the database alone, where the index cannot tell. */
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

/** Puts messages together by their places, but those in channels that the user is not in now. */
class Gathering {
  count = 0;
  /** Whether older ones have not been looked at. */
  isCut = false;
  private readonly byKey = new Map<string, Gathered>();
  /** By objects, which are found faster than texts. */
  private readonly byPlace = new Map<Place, Gathered>();
  private readonly channels: ReadonlySet<number>;

  constructor(
    periods: Periods,
    readonly wildcards: ReadonlySet<number>,
  ) {
    this.channels = openChannelIds(periods);
  }

  readonly add = (id: number, place: Place) => {
    const group = this.byPlace.get(place) ?? this.comeTo(place);
    if (!group) return;
    if (id > group.newest) {
      group.newest = id;
      group.place = place;
    } else group.isInOrder = false;
    group.ids.push(id);
    this.count += 1;
  };

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

/** Leaves out so many of the oldest messages. */
function cutOff(groups: readonly UnreadGroup[], count: number): UnreadGroup[] {
  const ids = Float64Array.from(groups.flatMap((group) => group.ids)).sort();
  const oldest = ids[count] ?? 0;
  return groups.map(({ place, ids: all }) => ({ place, ids: all.filter((id) => id >= oldest) }));
}
