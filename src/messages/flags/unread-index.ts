import { and, asc, eq, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { type Reader, rowsLedTo, statement } from "../../../db/reader";
import type { Dialect, Schema } from "../../../db/schema";
import { remembered } from "../../core/remembered";
import { topicKey } from "../../topics/empty-topic";

/*
 * What a client must count when it starts is the same few messages for most people of a realm: those that came last. They are
 * held in memory by the channel that they were sent to, as far back as somebody has asked for, until one of the realm's
 * messages is moved or deleted.
 */

/** A topic of a channel in one spelling; `key` is the same for all of its spellings. */
export interface Place {
  channelId: number;
  topic: string;
  key: string;
}

/** The messages sent to a channel with ids above `from`, oldest first. */
interface Line {
  from: number;
  ids: number[];
  places: Place[];
  /** The sender of each that counts as read by them from the start, else 0. */
  readers: number[];
}

/** Messages above `after`, up to `upTo`, that were sent to a channel. */
export interface Stretch {
  channelId: number;
  after: number;
  upTo: number;
}

/** So many messages are taken in at once: where there are more, nothing is held. */
const takenMax = 60_000;
const refusedMax = 100;
/** So many messages are held of all realms together. */
const heldMax = 1_000_000;

export class UnreadIndex {
  /** The newest message of the realm that was looked at. */
  upTo: number | undefined;
  size = 0;
  /** Those that mention all of a channel. */
  readonly wildcards = new Set<number>();
  /** What was asked for and is too much. */
  readonly refused = new Set<string>();
  private readonly lines = new Map<number, Line>();
  private readonly places = new Map<string, Place>();

  clear() {
    this.upTo = undefined;
    this.size = 0;
    this.wildcards.clear();
    this.refused.clear();
    this.lines.clear();
    this.places.clear();
  }

  /** Whether it has all of some stretches up to `newest`. */
  covers(stretches: readonly Stretch[], newest: number): boolean {
    if (this.upTo === undefined || this.upTo < newest) return false;
    return stretches.every(({ channelId, after }) => after >= this.fromOf(channelId));
  }

  /** Above which id the messages of a channel are held. */
  fromOf(channelId: number): number {
    return this.lines.get(channelId)?.from ?? this.upTo ?? 0;
  }

  /** Holds the messages of a channel from now on. */
  begin(channelId: number) {
    if (!this.lines.has(channelId)) {
      this.lines.set(channelId, { from: this.fromOf(channelId), ids: [], places: [], readers: [] });
    }
  }

  /** Takes in all messages of a stretch. */
  takeOlder({ channelId, after, upTo }: Stretch, rows: readonly Row[]) {
    const line = this.lines.get(channelId);
    // Another reader may have taken them in meanwhile, or all may have been let go of.
    if (!line || after >= line.from || upTo < line.from) return;
    const older: Line = { from: after, ids: [], places: [], readers: [] };
    for (const row of rows) if (row.id <= line.from) this.add(older, row);
    this.lines.set(channelId, {
      from: after,
      ids: older.ids.concat(line.ids),
      places: older.places.concat(line.places),
      readers: older.readers.concat(line.readers),
    });
  }

  /** Takes in all messages of the realm after `after` and up to `upTo`. */
  takeNewer(after: number, upTo: number, rows: readonly Row[]) {
    const known = this.upTo;
    if (known === undefined || known < after || known >= upTo) return;
    for (const row of rows) {
      const line = this.lines.get(row.sentChannelId ?? 0);
      if (line && row.id > known) this.add(line, row);
    }
    this.upTo = upTo;
  }

  /** Calls `visit` for the messages of a stretch, oldest first, that do not count as read by `userId` from the start. */
  visit({ channelId, after, upTo }: Stretch, userId: number, visit: (id: number, place: Place) => void) {
    const line = this.lines.get(channelId);
    if (!line) return;
    const { ids, places, readers } = line;
    for (let i = firstAbove(ids, after); i < ids.length; i++) {
      const [id, place] = [ids[i], places[i]];
      if (id === undefined || place === undefined || id > upTo) return;
      if (readers[i] !== userId) visit(id, place);
    }
  }

  private add(line: Line, { id, senderId, readBySender, channelId, topic, mentionsAllOf }: Row) {
    line.ids.push(id);
    line.places.push(this.placeOf(channelId ?? 0, topic));
    line.readers.push(readBySender ? senderId : 0);
    if (mentionsAllOf !== null) this.wildcards.add(id);
    this.size += 1;
  }

  private placeOf(channelId: number, topic: string): Place {
    const name = `${channelId}:${topic}`;
    const known = this.places.get(name);
    if (known) return known;
    const place: Place = { channelId, topic, key: `${channelId}:${topicKey(topic)}` };
    this.places.set(name, place);
    return place;
  }
}

/** Where in ascending ids the first one above `id` is. */
function firstAbove(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

const indexOf = remembered(["messages"], async () => new UnreadIndex(), { isOneRead: true });

/**
 * What `use` makes of a realm's index that has all messages of some stretches, as of a reader who sees one moment and
 * `newest` as the newest message. Undefined where that is too much to hold.
 */
export async function fromUnreadIndex<Value>(
  reader: Reader,
  realmId: number,
  { newest, stretches }: { newest: number; stretches: readonly Stretch[] },
  use: (index: UnreadIndex) => Value,
): Promise<Value | undefined> {
  const index = await indexOf(reader, realmId);
  keepRecent(realmId, index);
  index.upTo ??= newest;
  const after = index.upTo;
  if (newest > after) {
    const rows = await selectNewer(reader, { realmId, after, upTo: newest, limit: takenMax + 1 });
    if (rows.length > takenMax) index.clear();
    else index.takeNewer(after, newest, rows);
  }
  if (!index.covers(stretches, newest)) await takeOlder(reader, realmId, index, { newest, stretches });
  return index.covers(stretches, newest) ? use(index) : undefined;
}

async function takeOlder(
  reader: Reader,
  realmId: number,
  index: UnreadIndex,
  { newest, stretches }: { newest: number; stretches: readonly Stretch[] },
) {
  // One that sees less than others have seen would leave out what came since.
  if (index.upTo !== newest) return;
  const missing = new Map<number, Stretch>();
  for (const { channelId, after } of stretches) {
    const upTo = index.fromOf(channelId);
    if (after < Math.min(upTo, missing.get(channelId)?.after ?? upTo))
      missing.set(channelId, { channelId, after, upTo });
  }
  for (const channelId of missing.keys()) index.begin(channelId);
  const wanted = JSON.stringify([...missing.values()].map(({ channelId, after, upTo }) => [channelId, after, upTo]));
  if (index.refused.has(wanted)) return;
  const rows = await selectOlder(reader, { realmId, wanted, limit: takenMax + 1 });
  if (rows.length > takenMax) {
    if (index.refused.size < refusedMax) index.refused.add(wanted);
    return;
  }
  const byChannel = Map.groupBy(rows, ({ sentChannelId }) => sentChannelId);
  for (const stretch of missing.values()) {
    index.takeOlder(
      stretch,
      (byChannel.get(stretch.channelId) ?? []).sort((a, b) => a.id - b.id),
    );
  }
}

/** The indices in use by realm, the one that was used last at the end. */
const held = new Map<number, UnreadIndex>();

function keepRecent(realmId: number, index: UnreadIndex) {
  held.delete(realmId);
  held.set(realmId, index);
  let size = 0;
  for (const one of held.values()) size += one.size;
  for (const [id, one] of held) {
    if (size <= heldMax) return;
    size -= one.size;
    one.clear();
    held.delete(id);
  }
}

type Row = Awaited<ReturnType<typeof selectNewer>>[number];

const columnsOf = ({ messages }: Schema) => ({
  id: messages.id,
  senderId: messages.senderId,
  readBySender: messages.readBySender,
  channelId: messages.channelId,
  sentChannelId: messages.sentChannelId,
  topic: messages.topic,
  mentionsAllOf: messages.mentionsAllOf,
});

const selectNewer = statement((db, t) =>
  db
    .select(columnsOf(t))
    .from(t.messages)
    .where(
      and(
        eq(t.messages.realmId, sql.placeholder("realmId")),
        gt(t.messages.id, sql.placeholder("after")),
        lte(t.messages.id, sql.placeholder("upTo")),
        isNotNull(t.messages.sentChannelId),
      ),
    )
    .orderBy(asc(t.messages.id))
    .limit(sql.placeholder("limit")),
);

/** A list of lists of numbers that is one value of JSON, as a table `wanted`, and the number at a place of each. */
const wantedRows = (dialect: Dialect): SQL =>
  dialect === "sqlite"
    ? sql`json_each(${sql.placeholder("wanted")}) wanted`
    : sql`json_array_elements(${sql.placeholder("wanted")}::json) wanted`;
const wantedAt = (dialect: Dialect, place: number): SQL =>
  sql.raw(dialect === "sqlite" ? `json_extract(wanted.value, '$[${place}]')` : `(wanted.value->>${place})::bigint`);

/** In no order: each of `wanted` says a channel, after which id and up to which one. */
const selectOlder = statement((db, t, dialect) => {
  const isWanted = and(
    eq(t.messages.realmId, sql.placeholder("realmId")),
    sql`${t.messages.sentChannelId} = ${wantedAt(dialect, 0)}`,
    sql`${t.messages.id} > ${wantedAt(dialect, 1)}`,
    sql`${t.messages.id} <= ${wantedAt(dialect, 2)}`,
  );
  const led = rowsLedTo(dialect, t.messages, isWanted);
  return db
    .select(led.columns(columnsOf(t)))
    .from(wantedRows(dialect))
    .crossJoin(led.rows)
    .where(led.where)
    .limit(sql.placeholder("limit"));
});
