import type { ReadBlocks } from "../read-blocks";
import { firstAbove } from "./ascending-ids";
import type { HeldMessages } from "./held-line";
import type { HeldStretch, Place } from "./unread-index";

/** The unread messages of a topic or of a direct conversation, oldest first. */
export interface UnreadGroup {
  /** Place in the spelling of its newest message. */
  place: Place;
  ids: readonly number[];
  /** The ids as a JSON list, where it is written already. */
  json?: string;
}

interface Gathered extends UnreadGroup {
  ids: number[];
  newest: number;
  isInOrder: boolean;
}

/**
 * Groups messages by their places, without those in channels that the user is not subscribed to
 * now. It may go on from messages that were grouped before, which stay as they are.
 */
export class Gathering {
  private added = 0;
  private readonly byKey = new Map<string, Gathered>();
  /** Keyed by objects, because lookups by text are slower. */
  private readonly byPlace = new Map<Place, Gathered>();

  constructor(
    private readonly channels: ReadonlySet<number>,
    private readonly before?: Gathering,
  ) {}

  get count(): number {
    return this.added + (this.before?.count ?? 0);
  }

  /**
   * Adds the messages that a user has not read. Excepted ones are as they were not from the start.
   */
  addUnread(
    { chunk, start, end }: HeldMessages,
    userId: number,
    isExcepted: (id: number) => boolean,
  ) {
    for (let i = start; i < end; i++) {
      const [id, place] = [chunk.idAt(i), chunk.placeAt(i)];
      if (place && isExcepted(id) === (chunk.readerAt(i) === userId)) this.add(id, place);
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
    this.added += 1;
  }

  /** Writes the ids of each group as JSON. Nothing may be added after that. */
  async writeJson(pace: (ids: number) => Promise<void> | undefined): Promise<void> {
    for (const group of this.sorted()) {
      group.json = JSON.stringify(group.ids);
      await pace(group.ids.length);
    }
  }

  /** The newest `max` messages in groups, the one with the oldest message first. */
  newestGroups(max: number): UnreadGroup[] {
    const groups = this.merged();
    const kept = this.count > max ? cutOff(groups, max) : groups;
    return kept
      .filter(({ ids }) => ids.length > 0)
      .sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0));
  }

  private merged(): UnreadGroup[] {
    if (!this.before) return this.sorted();
    const groups = new Map<string, UnreadGroup>();
    for (const group of this.before.sorted()) groups.set(group.place.key, group);
    for (const more of this.sorted()) {
      const earlier = this.before.byKey.get(more.place.key);
      groups.set(more.place.key, earlier ? join(earlier, more) : more);
    }
    return [...groups.values()];
  }

  private sorted(): Gathered[] {
    const groups = [...this.byKey.values()];
    for (const group of groups) {
      if (!group.isInOrder) group.ids.sort(ascending);
      group.isInOrder = true;
    }
    return groups;
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

const ascending = (a: number, b: number) => a - b;

function join(earlier: Gathered, more: Gathered): UnreadGroup {
  const ids = earlier.ids.concat(more.ids);
  if ((more.ids[0] ?? 0) < earlier.newest) ids.sort(ascending);
  return { place: more.newest > earlier.newest ? more.place : earlier.place, ids };
}

/** Leaves out the oldest messages, so that `max` are left. */
function cutOff(groups: readonly UnreadGroup[], max: number): UnreadGroup[] {
  const countAbove = (id: number) =>
    groups.reduce((sum, { ids }) => sum + ids.length - firstAbove(ids, id), 0);
  // The lowest id above which there are no more than `max`.
  let [low, high] = [0, Math.max(...groups.map(({ ids }) => ids.at(-1) ?? 0))];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countAbove(middle) <= max) high = middle;
    else low = middle + 1;
  }
  return groups.map((group) => {
    const start = firstAbove(group.ids, low);
    return start === 0 ? group : { place: group.place, ids: group.ids.slice(start) };
  });
}

/** The facts that grouped messages depend on. */
export interface Basis {
  /** The generation of the index that the messages are from. */
  generation: number;
  /** The id above which they are. */
  above: number;
  stretches: readonly HeldStretch[];
  /** The exceptions to the user's watermarks. */
  blocks: ReadBlocks;
  /** Channels that the user is subscribed to. */
  channels: ReadonlySet<number>;
}

/** Messages of one user that were grouped for a register, for the next one to go on from. */
export interface GatheredBefore {
  basis: Basis;
  gathering: Gathering;
}

/**
 * The stretches that came after those of an earlier basis. Undefined where something else has
 * changed, so that all have to be grouped again.
 */
export function stretchesSince(earlier: Basis, now: Basis): HeldStretch[] | undefined {
  if (earlier.generation !== now.generation || earlier.above > now.above) return undefined;
  if (!isEqualBlocks(earlier.blocks, now.blocks)) return undefined;
  if (earlier.channels.size !== now.channels.size) return undefined;
  for (const id of earlier.channels) if (!now.channels.has(id)) return undefined;
  const ends = new Map(earlier.stretches.map((stretch) => [keyOf(stretch), stretch.upTo]));
  const since: HeldStretch[] = [];
  for (const stretch of now.stretches) {
    const end = ends.get(keyOf(stretch));
    ends.delete(keyOf(stretch));
    if (end !== undefined && end > stretch.upTo) return undefined;
    if (end !== stretch.upTo) since.push({ ...stretch, after: end ?? stretch.after });
  }
  return ends.size === 0 ? since : undefined;
}

const keyOf = ({ line, after }: HeldStretch) => `${line}:${after}`;

function isEqualBlocks(some: ReadBlocks, others: ReadBlocks): boolean {
  if (some.size !== others.size) return false;
  for (const [key, bits] of some) {
    const other = others.get(key);
    if (other === undefined || !bits.equals(other)) return false;
  }
  return true;
}
