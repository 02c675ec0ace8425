import { effect } from "@preact/signals";
import { isEndInView } from "../feed/anchor";
import type { FlaggedMessage } from "../model/message";
import { belongs, factsOf, type Narrow } from "../model/narrow";
import { hasWholeConversations, isMixed, narrowKey } from "../model/narrow-kind";
import { feedOf } from "../store/feeds";
import { place } from "../store/place";
import { me, model } from "../store/state";
import { uniqueName } from "../store/unique-name";

/** Messages between a person's tabs: which narrow is being looked at in a tab. */
type Word =
  | { readonly kind: "hello" }
  | { readonly kind: "sight"; readonly tab: string; readonly narrow: Narrow | undefined };

const tab = uniqueName();
let channel: BroadcastChannel | undefined;
let elsewhere: { readonly tab: string; readonly narrow: Narrow } | undefined;
let announced: Narrow | undefined;

/**
 * Whether the person sees a message that arrives, in this tab or another one that has the focus:
 * its conversation is open, or the end of a view of several conversations, such as its channel.
 */
export const isInSight = (message: FlaggedMessage): boolean =>
  [lookedAt(), elsewhere?.narrow].some(
    (narrow) => narrow && belongs(message, narrow, factsOf(model.peek(), message)) === true,
  );

/** The narrow that is being looked at in this tab. */
function lookedAt(): Narrow | undefined {
  const { view, narrow } = place.peek();
  if (document.visibilityState !== "visible" || !document.hasFocus() || view !== "messages")
    return undefined;
  const isSeen = !isMixed(narrow) || (hasWholeConversations(narrow) && isAtEnd(narrow));
  return isSeen ? narrow : undefined;
}

function isAtEnd(narrow: Narrow): boolean {
  const scroller = document.querySelector<HTMLElement>(".feed");
  return feedOf(narrow)?.isNewest === true && scroller !== null && isEndInView(scroller);
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
  document.addEventListener("scroll", tell, { capture: true, passive: true });
  addEventListener("pagehide", () => announce(undefined));
  effect(() => {
    void feedOf(place.value.narrow);
    tell();
    // Its messages are drawn by then.
    requestAnimationFrame(tell);
  });
}

const keyOf = (narrow: Narrow | undefined) => narrow && narrowKey(narrow, me.peek());

function tell(): void {
  const narrow = lookedAt();
  if (keyOf(narrow) !== keyOf(announced)) announce(narrow);
}

function announce(narrow: Narrow | undefined): void {
  announced = narrow;
  channel?.postMessage({ kind: "sight", tab, narrow } satisfies Word);
}

function hear(word: Word): void {
  if (word.kind === "hello") {
    if (announced !== undefined) announce(announced);
    return;
  }
  const { narrow } = word;
  if (narrow !== undefined) elsewhere = { tab: word.tab, narrow };
  // A tab that is left does not replace what another tab has reported meanwhile.
  else if (elsewhere?.tab === word.tab) elsewhere = undefined;
}
