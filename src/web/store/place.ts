import { computed, signal } from "@preact/signals";
import { openFeed } from "./feeds";
import { conversationsFragment, placeOf } from "./narrow";

const fragment = signal(location.hash);

/** The place that the address leads to; undefined where it leads nowhere. */
export const place = computed(() => placeOf(fragment.value));

const smallScreen = matchMedia("(width < 760px)");
const isSmall = signal(smallScreen.matches);

/**
 * Panes that are seen: on a small screen the messages, or, where the address names no place, the
 * conversations.
 */
export const panes = computed(() => {
  if (!isSmall.value) return "both";
  return ["", "#", conversationsFragment].includes(fragment.value) ? "conversations" : "messages";
});

/** Follows the address: the feed of each place is opened. */
export function followAddress(): void {
  const follow = () => {
    fragment.value = location.hash;
    if (place.value) openFeed(place.value);
  };
  addEventListener("hashchange", follow);
  smallScreen.addEventListener("change", ({ matches }) => {
    isSmall.value = matches;
  });
  follow();
}
