import { countOf, type InboxModel, inboxOf, titleCountOf } from "./inbox";

/** Something that an icon shows beside itself: a count, a dot, or nothing. */
export type IconMark =
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "dot" }
  | { readonly kind: "none" };

const none: IconMark = { kind: "none" };
/** Value of `desktop_icon_count_display` by which nothing is shown. */
const nothing = 3;

/**
 * The mark of the page's icon: the count of its title; a dot where messages are unread that the
 * person has chosen not to count.
 */
export function iconMarkOf(model: InboxModel): IconMark {
  const count = titleCountOf(model);
  if (count > 0) return { kind: "count", count };
  const isSilent = model.settings.desktop_icon_count_display === nothing;
  return !isSilent && countOf(inboxOf(model).sections) > 0 ? { kind: "dot" } : none;
}

const countMax = 99;

/** A count as short as an icon has place for. */
export const shortCount = (count: number): string =>
  count > countMax ? `${countMax}+` : String(count);
