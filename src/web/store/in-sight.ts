import { effect } from "@preact/signals";
import { directKey, topicKey } from "../model/conversations";
import { place, shownKind } from "./place";
import { me } from "./state";
import { uniqueName } from "./unique-name";

/** Messages between a person's tabs: which conversation is being looked at in a tab. */
type Word =
  | { readonly kind: "hello" }
  | { readonly kind: "sight"; readonly tab: string; readonly conversation: string | undefined };

const tab = uniqueName();
let channel: BroadcastChannel | undefined;
let elsewhere: { readonly tab: string; readonly conversation: string } | undefined;
let announced: string | undefined;

/**
 * Whether the person is looking at a conversation in this tab or another one: it is open, and the
 * tab has the focus.
 */
export const isInSight = (conversation: string): boolean =>
  conversation === lookedAt() || conversation === elsewhere?.conversation;

/** The key of the conversation that is being looked at in this tab. */
function lookedAt(): string | undefined {
  return document.visibilityState === "visible" && document.hasFocus() ? openKey() : undefined;
}

function openKey(): string | undefined {
  const kind = shownKind();
  if (kind?.kind === "topic") return topicKey(kind.channelId, kind.topic);
  return kind?.kind === "direct" ? directKey(kind.userIds, me.peek()) : undefined;
}

/** Exchanges with the person's other tabs what is being looked at. */
export function followSight(): void {
  if ("BroadcastChannel" in globalThis) {
    channel = new BroadcastChannel(`chatd-sight-${me.peek()}`);
    channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data);
    channel.postMessage({ kind: "hello" } satisfies Word);
  }
  for (const kind of ["focus", "blur"] as const) addEventListener(kind, tell);
  document.addEventListener("visibilitychange", tell);
  addEventListener("pagehide", () => announce(undefined));
  effect(() => {
    void place.value;
    tell();
  });
}

const tell = (): void => {
  if (lookedAt() !== announced) announce(lookedAt());
};

function announce(conversation: string | undefined): void {
  announced = conversation;
  channel?.postMessage({ kind: "sight", tab, conversation } satisfies Word);
}

function hear(word: Word): void {
  if (word.kind === "hello") {
    if (announced !== undefined) announce(announced);
    return;
  }
  const { conversation } = word;
  if (conversation !== undefined) elsewhere = { tab: word.tab, conversation };
  // A tab that is left does not replace what another tab has reported meanwhile.
  else if (elsewhere?.tab === word.tab) elsewhere = undefined;
}
