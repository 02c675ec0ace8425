import type { WireEvent } from "../client";
import type { ClientState } from "../client-state";

type Row = ClientState;

const other = (key: string, id: number) => (row: Row) => row[key] !== id;

function put(rows: Row[], key: string, changed: Row) {
  return rows.map((row) => (row[key] === changed[key] ? changed : row));
}

function applyDrafts(state: ClientState, { op, drafts, draft, draft_id }: WireEvent) {
  if (op === "add") state.drafts = [...state.drafts, ...drafts];
  if (op === "update") state.drafts = put(state.drafts, "id", draft);
  if (op === "remove") state.drafts = state.drafts.filter(other("id", draft_id));
}

function applySavedSnippets(
  state: ClientState,
  { op, saved_snippet, saved_snippet_id }: WireEvent,
) {
  if (op === "add") state.saved_snippets = [...state.saved_snippets, saved_snippet];
  if (op === "update") state.saved_snippets = put(state.saved_snippets, "id", saved_snippet);
  if (op === "remove")
    state.saved_snippets = state.saved_snippets.filter(other("id", saved_snippet_id));
}

function applyScheduledMessages(state: ClientState, event: WireEvent) {
  const {
    op,
    scheduled_messages: added,
    scheduled_message: changed,
    scheduled_message_id: id,
  } = event;
  const key = "scheduled_message_id";
  if (op === "add") state.scheduled_messages = [...state.scheduled_messages, ...added];
  if (op === "update") state.scheduled_messages = put(state.scheduled_messages, key, changed);
  if (op === "remove") state.scheduled_messages = state.scheduled_messages.filter(other(key, id));
}

function applyReminders(state: ClientState, { op, reminders, reminder_id }: WireEvent) {
  if (op === "add") state.reminders = [...state.reminders, ...reminders];
  if (op === "remove") state.reminders = state.reminders.filter(other("reminder_id", reminder_id));
}

/** Changes that clients make for the events of one's own things around messages. */
export const ownThingsReducers = {
  drafts: applyDrafts,
  saved_snippets: applySavedSnippets,
  scheduled_messages: applyScheduledMessages,
  reminders: applyReminders,
  // It belongs to a message, of which the state has none.
  submessage: () => undefined,
};

/** A person who does not want drafts on the server has none there. */
export function forgetDrafts(state: ClientState, { property, value }: WireEvent) {
  if (property === "enable_drafts_synchronization" && !value) state.drafts = [];
}

const by = (key: string) => (a: Row, b: Row) => a[key] - b[key];

/** One's own things, each list in one order. */
export const comparableOwnThings = (state: ClientState) => ({
  drafts: [...state.drafts].sort(by("id")),
  saved_snippets: [...state.saved_snippets].sort(by("id")),
  scheduled_messages: [...state.scheduled_messages].sort(by("scheduled_message_id")),
  reminders: [...state.reminders].sort(by("reminder_id")),
});
