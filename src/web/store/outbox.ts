import { batch, signal } from "@preact/signals";
import { now } from "../clock";
import { isSubscribed } from "../model/channels";
import {
  afterRefusal,
  answered,
  isArrival,
  isStored,
  type Outgoing,
  renewed,
  stepOf,
  tried,
  unclear,
  written,
} from "../model/outgoing";
import { movedRecipient, type Recipient, recipientOf, wireRecipient } from "../model/recipient";
import type { Event } from "../model/wire";
import { post, Refusal, read, readMessage } from "../net/api";
import { pauseAfter, wait } from "../net/backoff";
import { confirmPerson } from "../net/csrf-token";
import { applyToFeeds } from "./feeds";
import { keptRows } from "./kept-rows";
import { hasLocks, inOneTab } from "./one-tab";
import { queueId } from "./queue";
import { isKeptPage, snapshot } from "./snapshot";
import { channels, isConnected, me } from "./state";

const messages = signal<ReadonlyMap<string, Outgoing>>(new Map());

/**
 * Local ids of messages that an earlier page has tried to send. They may have arrived, so they are
 * not shown before the server was asked.
 */
const undecided = signal<ReadonlySet<string>>(new Set());

/** The visible messages that are being sent, in the order in which they were written. */
export const outgoing = (): readonly Outgoing[] =>
  inOrder(messages.value).filter((one) => !isWaiting(one) || !undecided.value.has(one.localId));

const isWaiting = ({ standing }: Outgoing): boolean => standing.kind === "waiting";

const inOrder = (rows: ReadonlyMap<string, Outgoing>): readonly Outgoing[] =>
  [...rows.values()].sort((one, other) => one.writtenAt - other.writtenAt);

const kept = keptRows<Outgoing>(
  `outbox ${snapshot.user_id}`,
  (json) => {
    const row: Outgoing = JSON.parse(json);
    return row;
  },
  (key, row) => {
    // Its event may arrive before the other tab reports that it has sent the message.
    if (row && hasArrived(row)) return drop(key);
    show(key, row);
    // The tab that wrote it may have been closed. Then this tab sends it.
    if (row && isWaiting(row)) void deliver();
  },
);

function show(localId: string, row: Outgoing | undefined): void {
  const rows = new Map(messages.value);
  if (row) rows.set(localId, row);
  else rows.delete(localId);
  messages.value = rows;
}

function put(row: Outgoing): Outgoing {
  show(row.localId, row);
  kept.keep(row.localId, row);
  return row;
}

function drop(localId: string): void {
  show(localId, undefined);
  kept.keep(localId, undefined);
}

/** Longer than any answer takes. After that the request is repeated, which sends nothing twice. */
const answerMilliseconds = 20_000;

/** The id of the newest message that was seen or sent. */
let newestId = 0;
/**
 * The newest message of the state with which the page started or was last renewed. No events arrive
 * for older messages.
 */
let newestAtBegin = 0;
/** Ids of own messages whose events have arrived, because an event may arrive before the answer. */
const arrivedIds = new Set<number>();
const arrivedLocalIds = new Set<string>();
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const hasArrived = ({ localId, standing }: Outgoing): boolean =>
  arrivedLocalIds.has(localId) || (standing.kind === "sent" && arrivedIds.has(standing.messageId));

const newLocalId = (): string => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${now()}.${random}`;
};

/** Sends a message. It is shown at once, and sent as soon as the server answers. */
export function sendMessage(recipient: Recipient, content: string): void {
  put(
    written({
      localId: newLocalId(),
      queueId: queueId.value,
      recipient,
      content,
      writtenAt: Math.max(now(), (inOrder(messages.value).at(-1)?.writtenAt ?? 0) + 1),
      writtenAfter: newestId,
    }),
  );
  void deliver();
}

/** Sends a message again that was refused, or of which nobody knows whether it was sent. */
export function sendAgain(message: Outgoing): void {
  drop(message.localId);
  put(renewed(message, { localId: newLocalId(), queueId: queueId.value }));
  void deliver();
}

/** Takes back a message that was not sent. */
export const takeBack = ({ localId }: Outgoing): void => drop(localId);

/** Loads the messages that are stored in the browser, and sends them when the server answers. */
export function openOutbox(): void {
  newestId = snapshot.max_message_id;
  newestAtBegin = newestId;
  const rows = kept.readAll();
  const triedRows = [...rows.values()].filter(({ isTried }) => isTried);
  if (!isKeptPage) undecided.value = new Set(triedRows.map(({ localId }) => localId));
  messages.value = rows;
  // Messages that the server has confirmed are in the state with which the page starts.
  for (const { standing, localId } of rows.values()) if (standing.kind === "sent") drop(localId);
  const goOn = () => void deliver();
  addEventListener("online", goOn);
  document.addEventListener("visibilitychange", goOn);
  isConnected.subscribe((isNow) => {
    if (isNow) goOn();
  });
}

/** Removes messages whose events have arrived. Waiting ones go where their topic is moved. */
export function applyToOutbox(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "message") {
      moveWaiting(event);
      continue;
    }
    newestId = Math.max(newestId, event.message.id);
    if (event.message.sender_id === me.value) arrivedIds.add(event.message.id);
    if (event.local_message_id !== undefined) arrivedLocalIds.add(event.local_message_id);
    for (const message of messages.value.values())
      if (isArrival(message, event)) drop(message.localId);
  }
}

/**
 * A message that another page has tried is repeated as it was, because it may have arrived: the
 * server knows it by its recipient, too.
 */
const mayMove = (message: Outgoing): boolean =>
  isWaiting(message) && (!message.isTried || message.queueId === queueId.peek());

function moveWaiting(event: Event): void {
  for (const message of messages.peek().values()) {
    const target = mayMove(message) ? movedRecipient(message.recipient, event) : undefined;
    const recipient = target && target !== message.recipient ? recipientOf(target) : undefined;
    if (!recipient) continue;
    // Another tab may have tried the message meanwhile.
    const stored = kept.readAll().get(message.localId) ?? message;
    if (mayMove(stored)) put({ ...stored, recipient });
  }
}

/**
 * Sends the waiting messages one after the other, in one tab at a time, so that each is sent once.
 */
async function deliver(): Promise<void> {
  clearTimeout(timer);
  const all = () => inOrder(messages.value);
  if (!all().some(isWaiting)) return;
  // A kept page tries nothing before the server is reached, so the message has certainly not been
  // sent. Nothing is tried again before the missed events have come, which may move its topic.
  const isToWait = isKeptPage || all().some((one) => isWaiting(one) && one.isTried);
  if (isToWait && !isConnected.peek()) return;
  await inOneTab(`outbox ${snapshot.user_id}`, async () => {
    const next = () => inOrder(kept.readAll()).find(isStillWaiting) ?? all().find(isWaiting);
    let refusal: Refusal | undefined;
    for (let message = next(); message && !refusal; message = next())
      refusal = await attempt(message);
    failures = refusal ? failures + 1 : 0;
    clearTimeout(timer);
    if (refusal)
      timer = setTimeout(() => void deliver(), pauseAfter(failures, refusal.retryAfterSeconds));
  });
}

/**
 * Whether a stored message still waits. If the browser's storage is full, the stored row is older
 * than this one.
 */
const isStillWaiting = (row: Outgoing): boolean =>
  isWaiting(row) && isWaiting(messages.peek().get(row.localId) ?? row);

/** Sends a message. If the server has not decided about it, returns why it has to wait. */
async function attempt(message: Outgoing): Promise<Refusal | undefined> {
  try {
    const step = stepOf(message, queueId.value);
    if (step === "ask" && !(await isQueueAlive(message.queueId))) {
      if (!message.isTried) await takeOver(message);
      else if (await isSent(message)) drop(message.localId);
      else await endAsUnclear(message);
      return undefined;
    }
    // An event may have moved it meanwhile.
    const { recipient } = messages.peek().get(message.localId) ?? message;
    await sendOnce(put(tried({ ...message, recipient })));
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The message may meanwhile have been tried, taken back, or have arrived.
    const current = messages.peek().get(message.localId);
    if (!current) return undefined;
    const after = afterRefusal(current, error);
    // Only a change is stored, because another tab may have tried the message meanwhile.
    if (after !== current) put(after);
    return isWaiting(after) ? error : undefined;
  } finally {
    decide(message);
  }
}

/**
 * Lets the sender decide. Another person's session does not know of the queue, or of direct
 * messages. So the message goes on waiting there, until its sender has signed in again.
 */
async function endAsUnclear(message: Outgoing): Promise<void> {
  await confirmPerson();
  put(unclear(message));
}

function decide({ localId }: Outgoing): void {
  if (!undecided.peek().has(localId)) return;
  undecided.value = new Set([...undecided.peek()].filter((one) => one !== localId));
}

/** The time after which a tab has certainly seen what another tab has stored. */
const keptMilliseconds = 1_000;

/**
 * Gives a message that was never sent the queue of this tab. Without locks, another tab may do so
 * at that moment too. Then the last one wins, and both tabs send the message with that tab's queue.
 */
async function takeOver(message: Outgoing): Promise<void> {
  const current = kept.readAll().get(message.localId) ?? messages.peek().get(message.localId);
  if (current?.queueId !== message.queueId || current.isTried) return;
  put({ ...current, queueId: queueId.value });
  if (!hasLocks) await wait(keptMilliseconds);
}

async function sendOnce(message: Outgoing): Promise<void> {
  const { id } = await post(
    "/messages",
    {
      ...wireRecipient(message.recipient),
      content: message.content,
      queue_id: message.queueId,
      local_id: message.localId,
      read_by_sender: true,
    },
    AbortSignal.timeout(answerMilliseconds),
  );
  newestId = Math.max(newestId, id);
  const isThere = id <= newestAtBegin || arrivedIds.has(id);
  if (isThere || !messages.value.has(message.localId)) drop(message.localId);
  else bringSoon(put(answered(message, id)), id);
}

/** Longer than any event takes. */
const eventMilliseconds = 5_000;

/**
 * Requests a message whose event does not arrive. In a channel to which one is not subscribed there
 * is no event.
 */
function bringSoon({ localId, recipient }: Outgoing, id: number): void {
  const isOutside =
    recipient.kind === "topic" && !isSubscribed(channels.peek(), recipient.channelId);
  setTimeout(() => void bring(localId, id), isOutside ? 0 : eventMilliseconds);
}

/**
 * Requests the messages whose events were lost with the ended queue. `newest` is the newest message
 * of the page's new state.
 */
export function requestLostMessages(newest: number): void {
  newestAtBegin = newest;
  newestId = Math.max(newestId, newest);
  for (const { localId, standing } of outgoing())
    if (standing.kind === "sent") void bring(localId, standing.messageId);
}

async function bring(localId: string, id: number): Promise<void> {
  if (!messages.peek().has(localId)) return;
  try {
    const { message } = await readMessage(id);
    batch(() => {
      applyToFeeds([{ id: 0, type: "message", message, flags: message.flags }]);
      drop(localId);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It was deleted or moved out of sight meanwhile. So it was sent, and there is nothing left to
    // do.
    if (error.status >= 400 && error.status < 500 && error.status !== 429) drop(localId);
    else setTimeout(() => void bring(localId, id), eventMilliseconds);
  }
}

/**
 * Whether the server still has an event queue, and with it the local ids of messages. The request
 * names an event that no queue has. A living queue refuses that, and is not changed by it.
 */
async function isQueueAlive(id: string): Promise<boolean> {
  try {
    await read("/events", { queue_id: id, last_event_id: noEvent, dont_block: true });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error;
    return error.code !== "BAD_EVENT_QUEUE_ID";
  }
}

const noEvent = Number.MAX_SAFE_INTEGER;

const searchedMax = 50;

/** Whether a message is among the newest messages of its sender in the conversation. */
async function isSent(message: Outgoing): Promise<boolean> {
  const { recipient } = message;
  const conversation =
    recipient.kind === "topic"
      ? [
          { operator: "channel", operand: recipient.channelId },
          { operator: "topic", operand: recipient.topic },
        ]
      : [{ operator: "dm", operand: recipient.userIds }];
  const answer = await read("/messages", {
    narrow: [...conversation, { operator: "sender", operand: me.value }],
    anchor: "newest",
    num_before: searchedMax,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  return answer.messages.some((stored) => isStored(message, stored, me.value));
}
