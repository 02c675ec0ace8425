import type { NavigationView } from "./queries";

/** A view as the protocol shows it. */
export const navigationViewWire = ({ fragment, isPinned, name }: NavigationView) => ({
  fragment,
  is_pinned: isPinned,
  name,
});
