import { ByteBudget } from "../core/byte-budget";
import type { LogEntry, LoggedEvent } from "../core/context";
import { type AnswerRoom, idsPerLogEntry, type Presenter, type Recipient } from "../core/event-hub";
import { plainMembers } from "../core/json/raw-json";
import { makePace } from "../core/turns/turn";
import type { QueueOwner } from "./queue-owners";
import type { RealmLog } from "./realm-log";

export type Presenters = ReadonlyMap<string, Presenter>;

/** An event in the form that the client gets. */
export interface PresentedEvent {
  id: number;
  json: string;
}

/**
 * Texts of events that many clients share. They are cached as long as their log entry is in memory.
 */
const shapedTexts = new WeakMap<LoggedEvent, Map<string, string>>();

/** The members of an event as a client gets them. They are serialized once for each variant. */
export function shapedMembers(
  presenters: Presenters,
  event: LoggedEvent,
  recipient: Recipient,
): string {
  const shaped = presenters.get(event.type)?.shape?.(event, recipient.options) ?? {
    variant: "",
    event,
  };
  let texts = shapedTexts.get(event);
  if (!texts) {
    texts = new Map();
    shapedTexts.set(event, texts);
  }
  let text = texts.get(shaped.variant);
  if (text === undefined) {
    text = plainMembers(shaped.event);
    texts.set(shaped.variant, text);
  }
  return text;
}

export const withId = (id: number, eventMembers: string): PresentedEvent => ({
  id,
  json: `{"id":${id},${eventMembers}}`,
});

/** The members of an entry's event; a list where it stands for several events. */
type EntryText = string | readonly string[];

/** Adds all events of an entry; answers whether these and all before fit. */
function addText(room: ByteBudget, text: EntryText): boolean {
  if (typeof text === "string") return room.add(text);
  let fits = true;
  for (const one of text) fits = room.add(one);
  return fits;
}

/** Adds the events of an entry, see `eventsPerEntryMax`. */
function addEvents(events: PresentedEvent[], entryId: number, text: EntryText) {
  const last = entryId * idsPerLogEntry;
  if (typeof text === "string") {
    events.push(withId(last, text));
    return;
  }
  for (const [index, one] of text.entries())
    events.push(withId(last + 1 - text.length + index, one));
}

/** Events that fit into an answer, and the first entry that the next answer begins with. */
interface Presented {
  events: PresentedEvent[];
  leftFrom: number | undefined;
}

/**
 * Serializes entries for one client, oldest first: as many as fit into an answer, but at least one.
 * Data that a write has left in memory is used as long as no later entry can have changed it for
 * this client. Otherwise the data is read from the database.
 */
export async function presentEntries(
  presenters: Presenters,
  log: RealmLog,
  entries: LogEntry[],
  owner: QueueOwner,
  recipient: Recipient,
  room: AnswerRoom,
): Promise<Presented> {
  const texts = new Map<number, EntryText>();
  const late = new Map<Presenter, LogEntry[]>();
  const live = new ByteBudget(room.sizeBytesMax);
  let leftFrom: number | undefined;
  for (const entry of entries) {
    const presenter = presenters.get(entry.event.type);
    const isLive = presenter?.live && isFresh(log, entry, owner);
    if (presenter?.late && !isLive) {
      addTo(late, presenter, entry);
      continue;
    }
    const text = isLive
      ? presenter.live?.(entry, recipient)
      : (presenter?.several?.(entry.event, recipient.options) ??
        shapedMembers(presenters, entry.event, recipient));
    if (text === undefined) continue;
    if (!addText(live, text) && texts.size > 0) {
      leftFrom = entry.id;
      break;
    }
    texts.set(entry.id, text);
  }
  for (const [presenter, group] of late) {
    const found = await presenter.late?.(group, recipient, room);
    for (const [id, text] of found?.texts ?? []) texts.set(id, text);
    leftFrom = Math.min(
      found?.leftFrom ?? Number.POSITIVE_INFINITY,
      leftFrom ?? Number.POSITIVE_INFINITY,
    );
  }
  return late.size === 0 && leftFrom === undefined
    ? { events: allEvents(texts), leftFrom }
    : firstEvents(entries, texts, leftFrom ?? Number.POSITIVE_INFINITY, room);
}

/** The events of all entries, where none was read late: then they are in their order. */
function allEvents(texts: ReadonlyMap<number, EntryText>): PresentedEvent[] {
  const events: PresentedEvent[] = [];
  for (const [entryId, text] of texts) addEvents(events, entryId, text);
  return events;
}

/** Number of UTF-16 units of events that are serialized in one turn of the event loop. */
const lengthPerTurn = 524_288;

/**
 * The events before an entry that fit into one answer. If there are many, other work runs in
 * between.
 */
async function firstEvents(
  entries: readonly LogEntry[],
  texts: ReadonlyMap<number, EntryText>,
  end: number,
  { sizeBytesMax }: AnswerRoom,
): Promise<Presented> {
  const room = new ByteBudget(sizeBytesMax);
  const pace = makePace(lengthPerTurn);
  const events: PresentedEvent[] = [];
  for (const { id } of entries) {
    const text = texts.get(id);
    if (id >= end) return { events, leftFrom: id };
    if (text === undefined) continue;
    if (!addText(room, text) && events.length > 0) return { events, leftFrom: id };
    const before = events.length;
    addEvents(events, id, text);
    let length = 0;
    for (let index = before; index < events.length; index += 1)
      length += events[index]?.json.length ?? 0;
    const others = pace(length);
    if (others) await others;
  }
  return { events, leftFrom: undefined };
}

function isFresh(log: RealmLog, entry: LogEntry, owner: QueueOwner): boolean {
  const changedAt = Math.max(log.contentChangedAt, owner.loadedAt, owner.flagsChangedAt);
  return entry.live !== undefined && entry.id > changedAt;
}

function addTo(groups: Map<Presenter, LogEntry[]>, presenter: Presenter, entry: LogEntry) {
  const group = groups.get(presenter);
  if (group) group.push(entry);
  else groups.set(presenter, [entry]);
}
