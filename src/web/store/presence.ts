import { effect, signal } from "@preact/signals";
import { now } from "../clock";
import { type Sign, signOf } from "../model/presence";
import type { User } from "../model/wire";
import { post, Refusal } from "../net/api";
import { snapshot } from "./snapshot";
import { isConnected, me, presences, server, takePresences } from "./state";

/** Somebody counts as active for so long after they have touched a key, the pointer or the screen. */
const activeMilliseconds = 300_000;
/** Signs follow the time that often. */
const stepMilliseconds = 15_000;

const secondsNow = (): number => now() / 1_000;

/** Seconds that the server's clock is ahead of this one. */
let serverAhead = snapshot.server_timestamp - secondsNow();
const serverTime = signal(snapshot.server_timestamp);

let lastUpdateId = snapshot.presence_last_update_id;
let lastInput = now();
let isActiveTold = false;

/** Sign of a person beside their name; bots have none, because they are always there. */
export function signOfUser(user: User): Sign | undefined {
  if (user.is_bot) return undefined;
  if (user.user_id === me.value) return "here";
  const { server_presence_offline_threshold_seconds: offline } = server.value;
  return signOf(presences.value.get(user.user_id), serverTime.value, offline);
}

/**
 * Tells the server that the person is there, as often as it wants to hear it, and takes what it
 * answers about others. `isReporter` tells whether this tab does that for all of the browser.
 */
export function followPresence(isReporter: () => boolean): void {
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"] as const)
    addEventListener(kind, () => onInput(isReporter), { passive: true, capture: true });
  setInterval(() => {
    serverTime.value = secondsNow() + serverAhead;
  }, stepMilliseconds);
  const interval = server.value.server_presence_ping_interval_seconds * 1_000;
  setInterval(() => void report(isReporter), interval);
  effect(() => {
    if (isConnected.value) void report(isReporter);
  });
}

const isActive = (): boolean => now() - lastInput < activeMilliseconds;

/** Input of somebody who was away is told at once. */
function onInput(isReporter: () => boolean): void {
  lastInput = now();
  if (!isActiveTold) void report(isReporter, true);
}

async function report(isReporter: () => boolean, isNew = false): Promise<void> {
  if (!isReporter()) return;
  isActiveTold = isActive() && document.hasFocus();
  try {
    const answer = await post("/users/me/presence", {
      status: isActiveTold ? "active" : "idle",
      last_update_id: lastUpdateId,
      new_user_input: isNew,
      ping_only: false,
    });
    lastUpdateId = answer.presence_last_update_id;
    if (answer.presences) takePresences(answer.presences);
    if (answer.server_timestamp !== undefined) takeTime(answer.server_timestamp);
  } catch (error) {
    // The next report tells it; events that do not come either tell that the server is away.
    if (!(error instanceof Refusal)) throw error;
    isActiveTold = false;
  }
}

function takeTime(timestamp: number): void {
  serverAhead = timestamp - secondsNow();
  serverTime.value = timestamp;
}
