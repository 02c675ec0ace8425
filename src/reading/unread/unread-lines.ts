import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { OfPerson } from "../../core/context";
import { openChannelIds, type Periods, periodsIn } from "../../core/reading-right/periods";
import { listPeriods } from "../../core/reading-right/stored";
import { movedPairs } from "../moved-pairs";
import { directScope } from "../read-blocks";
import { listWatermarks } from "../read-state";

/** Place to search for unread messages: everywhere, or one of these. */
export type UnreadPlace =
  | { kind: "everywhere" }
  | { kind: "channel"; channelId: number }
  | { kind: "topic"; channelId: number; topicKey: string }
  | { kind: "direct" }
  | { kind: "conversation"; conversationId: number };

export const everywhere: UnreadPlace = { kind: "everywhere" };

/**
 * Messages of one scope in one place, in the order of their ids, with one rule: they are unread
 * unless their bit is set (`home`, `moved` and `direct`), or read unless it is (`exceptions`).
 */
export interface Line {
  kind: "home" | "moved" | "direct" | "exceptions";
  /** A channel, or all direct messages. */
  scope: number;
  /**
   * For `home` and `moved` the channel that the messages are in now, for `direct` their
   * conversation; else 0.
   */
  place: number;
  /** For `home` and `moved` the only topic whose messages count; undefined for all topics. */
  topicKey?: string | undefined;
  /** Only messages above this id and up to `upTo` count. */
  after: number;
  upTo: number;
}

/** An id above all others. */
export const idMax = 10_000_000_000_000_000;

const selectConversations = statement((db, { conversationMembers: t }, given: Given<OfPerson>) =>
  db
    .select({ id: t.conversationId })
    .from(t)
    .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId))),
);

/** The ids of somebody's direct conversations. */
export async function listConversations(
  reader: Reader,
  { realmId, userId }: OfPerson,
): Promise<number[]> {
  return (await selectConversations(reader, { realmId, userId })).map(({ id }) => id);
}

/**
 * The lines that contain all of somebody's unread messages of a place. No message is in two of
 * them.
 */
export async function unreadLines(
  reader: Reader,
  who: OfPerson,
  place: UnreadPlace,
): Promise<Line[]> {
  const { realmId, userId } = who;
  const [periods, marks] = await Promise.all([
    listPeriods(reader, realmId, userId),
    listWatermarks(reader, realmId, userId),
  ]);
  const lines: Line[] = [];
  if (place.kind !== "direct" && place.kind !== "conversation") {
    const moved = await movedPairs(reader, realmId);
    const channels = channelsIn(place, periods);
    lines.push(
      ...channels
        .flatMap((channel) => linesOfChannel(channel, moved.get(channel) ?? [], periods, marks))
        .map((line) => ("topicKey" in place ? { ...line, topicKey: place.topicKey } : line)),
    );
  }
  if (place.kind !== "channel" && place.kind !== "topic") {
    const conversations =
      place.kind === "conversation" ? [place.conversationId] : await listConversations(reader, who);
    lines.push(...directLines(conversations, marks.get(directScope) ?? 0));
  }
  return onceEach(lines);
}

/** Nothing counts as unread in a channel that somebody is not subscribed to now. */
function channelsIn(place: UnreadPlace, periods: Periods): number[] {
  const all = [...openChannelIds(periods)];
  return "channelId" in place ? all.filter((id) => id === place.channelId) : all;
}

function linesOfChannel(
  channel: number,
  origins: readonly number[],
  periods: Periods,
  marks: ReadonlyMap<number, number>,
): Line[] {
  const lines: Line[] = [];
  for (const scope of [channel, ...origins]) {
    const ranges = rangesAbove(scope, periods, marks.get(scope) ?? 0);
    const kind = scope === channel ? "home" : "moved";
    for (const range of ranges) lines.push({ kind, scope, place: channel, ...range });
    for (const range of between(ranges)) lines.push(exceptionsLine(scope, range));
  }
  return lines;
}

/** Ids above `after`, up to `upTo`. */
export interface IdRange {
  after: number;
  upTo: number;
}

/**
 * The ranges of a channel that were delivered to somebody by subscription and are above their
 * watermark, oldest first.
 */
export function rangesAbove(channel: number, periods: Periods, mark: number): IdRange[] {
  return periodsIn(periods, channel)
    .map(({ fromMessage, toMessage }) => ({
      after: Math.max(fromMessage, mark),
      upTo: toMessage ?? idMax,
    }))
    .filter(({ after, upTo }) => after < upTo)
    .sort((a, b) => a.after - b.after);
}

/** The ranges between the given ones, over all ids. */
function between(ranges: readonly IdRange[]): IdRange[] {
  const gaps: IdRange[] = [];
  let after = 0;
  for (const range of ranges) {
    if (after < range.after) gaps.push({ after, upTo: range.after });
    after = range.upTo;
  }
  if (after < idMax) gaps.push({ after, upTo: idMax });
  return gaps;
}

const exceptionsLine = (scope: number, range: IdRange): Line => ({
  kind: "exceptions",
  scope,
  place: 0,
  ...range,
});

function directLines(conversations: readonly number[], mark: number): Line[] {
  const lines = conversations.map(
    (place): Line => ({ kind: "direct", scope: directScope, place, after: mark, upTo: idMax }),
  );
  return mark > 0 ? [...lines, exceptionsLine(directScope, { after: 0, upTo: mark })] : lines;
}

/** A channel's exceptions are found once, wherever its messages are now. */
function onceEach(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return lines.filter(({ kind, scope, after }) => {
    if (kind !== "exceptions") return true;
    const key = `${scope} ${after}`;
    return !seen.has(key) && seen.add(key);
  });
}
