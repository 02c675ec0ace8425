import { signal } from "@preact/signals";
import { post, read, remove } from "../net/api";
import { keepPage } from "../net/build";
import { reasonOf } from "./notices";
import { me } from "./state";

/** The state of an export of the person's data. */
export type OwnExport =
  | { readonly kind: "running"; readonly count: number }
  | { readonly kind: "done"; readonly count: number; readonly address: string }
  | { readonly kind: "refused"; readonly why: string };

export const ownExport = signal<OwnExport | undefined>(undefined);

let underWay: AbortController | undefined;

/** Cancels an export in progress. */
export function cancelExport(): void {
  underWay?.abort();
  underWay = undefined;
  ownExport.value = undefined;
}

/** Loads all of the person's own data and makes a file of it. */
export async function exportOwnData(): Promise<void> {
  if (ownExport.value?.kind === "done") URL.revokeObjectURL(ownExport.value.address);
  cancelExport();
  const own = new AbortController();
  underWay = own;
  ownExport.value = { kind: "running", count: 0 };
  const letGo = keepPage();
  try {
    const lists = await ownLists(own.signal);
    const { pieces, count } = await ownMessages(own.signal);
    if (own.signal.aborted) return;
    const start = `${JSON.stringify(lists).slice(0, -1)},"messages":[`;
    const file = new Blob([start, ...pieces, "]}"], { type: "application/json" });
    ownExport.value = { kind: "done", count, address: URL.createObjectURL(file) };
  } catch (error) {
    if (!own.signal.aborted) ownExport.value = { kind: "refused", why: reasonOf(error) };
  } finally {
    letGo();
  }
}

/** Event types whose state belongs to the person and can only be read with `register`. */
const ownTypes = [
  "muted_users",
  "navigation_views",
  "starred_messages",
  "user_settings",
  "user_topic",
] as const;

/** The person's settings and lists. */
async function ownLists(signal: AbortSignal) {
  const user_id = me.peek();
  const [state, profile, status, subscriptions, drafts, snippets, scheduled, reminders] =
    await Promise.all([
      ownState(signal),
      read("/users/me", {}, signal),
      read("/users/{user_id}/status", { user_id }, signal),
      read("/users/me/subscriptions", {}, signal),
      read("/drafts", {}, signal),
      read("/saved_snippets", {}, signal),
      read("/scheduled_messages", {}, signal),
      read("/reminders", {}, signal),
    ]);
  const [files, alerts, devices] = await Promise.all([
    read("/attachments", {}, signal),
    read("/users/me/alert_words", {}, signal),
    read("/push_subscriptions", {}, signal),
  ]);
  const { user_settings: settings, user_topics: topics, starred_messages: starred } = state;
  const { muted_users: mutedPeople, navigation_views: views } = state;
  return {
    profile,
    status,
    settings,
    subscriptions,
    topics,
    mutedPeople,
    alerts,
    drafts,
    snippets,
    scheduled,
    reminders,
    starred,
    views,
    files,
    devices: devices.push_subscriptions,
  };
}

/**
 * State that only `register` returns. Its event queue is deleted at once, because nobody needs it.
 */
async function ownState(signal: AbortSignal) {
  const asked = {
    event_types: ownTypes,
    fetch_event_types: ownTypes,
    client_capabilities: JSON.stringify({
      notification_settings_null: true,
      empty_topic_name: true,
    }),
  };
  const state = await post("/register", asked, signal);
  // A queue that could not be deleted expires later.
  if (state.queue_id !== null) void remove("/events", { queue_id: state.queue_id }).catch(reasonOf);
  return state;
}

const pageSize = 1_000;

/** The messages that the person has sent, the oldest first, as pieces of JSON. */
async function ownMessages(signal: AbortSignal) {
  const pieces: string[] = [];
  let count = 0;
  for (let anchor: number | "oldest" = "oldest"; ; ) {
    const page: Awaited<ReturnType<typeof readOwn>> = await readOwn(anchor, signal);
    const messages = page.messages.map((message) => JSON.stringify(message));
    if (messages.length > 0) pieces.push(count === 0 ? "" : ",", messages.join(","));
    count += messages.length;
    const newest = page.messages.at(-1)?.id;
    if (page.found_newest || newest === undefined || signal.aborted) return { pieces, count };
    ownExport.value = { kind: "running", count };
    anchor = newest;
  }
}

const readOwn = (anchor: number | "oldest", signal: AbortSignal) =>
  read(
    "/messages",
    {
      narrow: [{ operator: "sender", operand: me.peek() }],
      anchor,
      include_anchor: anchor === "oldest",
      num_before: 0,
      num_after: pageSize,
      apply_markdown: false,
      allow_empty_topic_name: true,
    },
    signal,
  );
