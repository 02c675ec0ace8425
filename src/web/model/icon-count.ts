import { counted, countOf, type Inbox } from "./inbox";

/** A mark on an icon: a count, a dot, or nothing. */
export type IconMark =
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "dot" }
  | { readonly kind: "none" };

const none: IconMark = { kind: "none" };

/**
 * The mark on the page's icon: the count of the page's title, or a dot if the only unread messages
 * are ones that the person has chosen not to count by the setting `desktop_icon_count_display`.
 */
export function iconMarkOf({ sections }: Inbox, setting: number, titleCount: number): IconMark {
  if (titleCount > 0) return { kind: "count", count: titleCount };
  return setting !== counted.none && countOf(sections) > 0 ? { kind: "dot" } : none;
}

const countMax = 99;

/** A count, shortened so that it fits on an icon. */
export const shortCount = (count: number): string =>
  count > countMax ? `${countMax}+` : String(count);
