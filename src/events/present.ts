import type { LogEntry, LoggedEvent } from "../core/context";
import { idsPerLogEntry, type Presenter, type Recipient } from "../core/event-hub";
import type { RealmLog } from "./realm-log";
import type { Viewer } from "./viewers";

export type Presenters = ReadonlyMap<string, Presenter>;

/** An event as the client gets it. */
export interface PresentedEvent {
  id: number;
  json: string;
}

/** Texts that are the same for many clients, kept as long as the entry is. */
const shapedTexts = new WeakMap<LoggedEvent, Map<string, string>>();

const members = (event: LoggedEvent) => JSON.stringify(event).slice(1, -1);

/** The members of an event for a client, serialized once per variant. */
export function shapedMembers(presenters: Presenters, event: LoggedEvent, recipient: Recipient): string {
  const shaped = presenters.get(event.type)?.shape?.(event, recipient.options) ?? { variant: "", event };
  let texts = shapedTexts.get(event);
  if (!texts) {
    texts = new Map();
    shapedTexts.set(event, texts);
  }
  let text = texts.get(shaped.variant);
  if (text === undefined) {
    text = members(shaped.event);
    texts.set(shaped.variant, text);
  }
  return text;
}

export const withId = (id: number, eventMembers: string): PresentedEvent => ({
  id,
  json: `{"id":${id},${eventMembers}}`,
});

/**
 * Writes entries for one client, oldest first. What a write left in memory is used while nothing has happened since that
 * could change it for this client; else the entry is read again from the database.
 */
export async function presentEntries(
  presenters: Presenters,
  log: RealmLog,
  entries: LogEntry[],
  viewer: Viewer,
  recipient: Recipient,
): Promise<PresentedEvent[]> {
  const texts = new Map<number, string>();
  const late = new Map<Presenter, LogEntry[]>();
  for (const entry of entries) {
    const presenter = presenters.get(entry.event.type);
    if (!presenter?.late) texts.set(entry.id, shapedMembers(presenters, entry.event, recipient));
    else if (presenter.live && isFresh(log, entry, viewer)) addText(texts, entry.id, presenter.live(entry, recipient));
    else addTo(late, presenter, entry);
  }
  for (const [presenter, group] of late) {
    for (const [id, text] of (await presenter.late?.(group, recipient)) ?? []) addText(texts, id, text);
  }
  return entries.flatMap(({ id }) => {
    const text = texts.get(id);
    return text === undefined ? [] : [withId(id * idsPerLogEntry, text)];
  });
}

function addText(texts: Map<number, string>, id: number, text: string | undefined) {
  if (text !== undefined) texts.set(id, text);
}

function isFresh(log: RealmLog, entry: LogEntry, viewer: Viewer): boolean {
  const changedAt = Math.max(log.contentChangedAt, viewer.loadedAt, viewer.flagsChangedAt);
  return entry.live !== undefined && entry.id > changedAt;
}

function addTo(groups: Map<Presenter, LogEntry[]>, presenter: Presenter, entry: LogEntry) {
  const group = groups.get(presenter);
  if (group) group.push(entry);
  else groups.set(presenter, [entry]);
}
