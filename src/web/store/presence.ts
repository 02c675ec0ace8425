import { effect, signal } from "@preact/signals";
import { now } from "../clock";
import { isElsewhere, type Sign, signOf } from "../model/presence";
import type { Register, User } from "../model/wire";
import { post, Refusal } from "../net/api";
import { isPolling } from "./queue";
import { noteServerAhead, noteServerTime, serverAhead, serverSeconds } from "./server-time";
import { snapshot } from "./snapshot";
import { isConnected, me, presences, server, takePresences } from "./state";

/** Somebody counts as active for this long after using a key, the pointer or the screen. */
const activeMilliseconds = 300_000;
/** The shortest time between two reports of input to other tabs. */
const tellMilliseconds = 10_000;
/** The time between two updates of the presence states. */
const stepMilliseconds = 15_000;

/**
 * Messages between a person's tabs: a tab was used, or the server has sent the presence of others.
 */
type Word =
  | { readonly kind: "input" }
  | {
      readonly kind: "presences";
      readonly rows: Register["presences"];
      readonly activeAt: number;
      /** Seconds by which the server's clock is ahead of the computer's. */
      readonly aheadSeconds: number;
    };

const time = signal(serverSeconds());
let lastUpdateId = snapshot.presence_last_update_id;
let lastInput = document.visibilityState === "visible" ? now() : 0;
let lastTold = 0;
let isActiveTold = false;
/**
 * When a tab of this browser last told the server that the person is active (UNIX seconds). Before
 * this page's first report it is the time when the page was opened, because somebody has opened it.
 */
let activeAt = snapshot.server_timestamp;
/** Clocks differ, and times are whole seconds. */
const slackSeconds = 2;
let channel: BroadcastChannel | undefined;

/**
 * The presence state shown beside a person's name. Bots have none, because they are always there.
 */
export const signOfUser = (user: User): Sign | undefined => signReader()(user);

/**
 * Returns a function that reads the present states of many people, because each read of a signal
 * costs time.
 */
export function signReader(): (user: User) => Sign | undefined {
  const { server_presence_offline_threshold_seconds: offline } = server.value;
  const [own, all, at] = [me.value, presences.value, time.value];
  return ({ is_bot: isBot, user_id: id }) => {
    if (isBot) return undefined;
    return id === own ? "here" : signOf(all.get(id), at, offline);
  };
}

/** Whether the person is active in another client, as far as this browser knows. */
export function isActiveElsewhere(): boolean {
  const { server_presence_offline_threshold_seconds: offline } = server.peek();
  const own = presences.peek().get(me.peek());
  return isElsewhere(own, activeAt + slackSeconds, serverSeconds(), offline);
}

/**
 * Reports the person's presence at the server's interval, and takes in the presence of others from
 * its answers. The tab that polls for events does so for all tabs of the person.
 */
export function followPresence(): void {
  if ("BroadcastChannel" in globalThis) {
    channel = new BroadcastChannel(`chatd-presence-${me.value}`);
    channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data);
  }
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"] as const)
    addEventListener(kind, onInput, { passive: true, capture: true });
  setInterval(() => {
    time.value = serverSeconds();
  }, stepMilliseconds);
  const interval = server.value.server_presence_ping_interval_seconds * 1_000;
  setInterval(() => void report(), interval);
  effect(() => {
    if (isConnected.value && isPolling.value) void report();
  });
}

function hear(word: Word): void {
  if (word.kind === "input") noteInput();
  else {
    activeAt = Math.max(activeAt, word.activeAt);
    noteServerAhead(word.aheadSeconds);
    take(word.rows);
  }
}

/** Takes in presences, and shows them by the server's time. */
function take(rows: Register["presences"]): void {
  time.value = serverSeconds();
  takePresences(rows);
}

function onInput(): void {
  if (now() - lastTold > tellMilliseconds) {
    lastTold = now();
    channel?.postMessage({ kind: "input" } satisfies Word);
  }
  noteInput();
}

/** Input of a person who was away is reported at once. */
function noteInput(): void {
  lastInput = now();
  if (!isActiveTold) void report(true);
}

async function report(isNew = false): Promise<void> {
  if (!isPolling.peek()) return;
  const askedAt = now();
  isActiveTold = askedAt - lastInput < activeMilliseconds;
  try {
    const answer = await post("/users/me/presence", {
      status: isActiveTold ? "active" : "idle",
      last_update_id: lastUpdateId,
      new_user_input: isNew,
      ping_only: false,
    });
    lastUpdateId = answer.presence_last_update_id;
    const { presences: rows, server_timestamp: serverAt } = answer;
    if (!rows || serverAt === undefined) return;
    noteServerTime(serverAt, askedAt);
    take(rows);
    if (isActiveTold) activeAt = serverAt;
    const aheadSeconds = serverAhead();
    channel?.postMessage({ kind: "presences", rows, activeAt, aheadSeconds } satisfies Word);
  } catch (error) {
    // The next report includes it. If the server is away, the missing events show that too.
    if (!(error instanceof Refusal)) throw error;
  }
}
