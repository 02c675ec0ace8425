import { effect } from "@preact/signals";
import { directKey, topicKey } from "../model/conversations";
import { place, shownKind } from "./place";
import { me } from "./state";

/** Words between the tabs of a person: which conversation is looked at in a tab. */
type Word =
  | { readonly kind: "hello" }
  | { readonly kind: "sight"; readonly tab: string; readonly conversation: string | undefined };

const tab = crypto.randomUUID();
let channel: BroadcastChannel | undefined;
let elsewhere: { readonly tab: string; readonly conversation: string } | undefined;
let announced: string | undefined;

/** Whether somebody looks at a conversation in this tab or another one: it is open and focused. */
export const isInSight = (conversation: string): boolean =>
  conversation === lookedAt() || conversation === elsewhere?.conversation;

/** The conversation that is looked at in this tab, by its key. */
function lookedAt(): string | undefined {
  return document.visibilityState === "visible" && document.hasFocus() ? openKey() : undefined;
}

function openKey(): string | undefined {
  const kind = shownKind();
  if (kind?.kind === "topic") return topicKey(kind.channelId, kind.topic);
  return kind?.kind === "direct" ? directKey(kind.userIds, me.peek()) : undefined;
}

/** Tells the person's other tabs what is looked at here, and hears it from them. */
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
  // A tab that is left does not end what another one has told meanwhile.
  else if (elsewhere?.tab === word.tab) elsewhere = undefined;
}
