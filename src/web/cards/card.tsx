import { useLayoutEffect, useRef } from "preact/hooks";
import { placeBeside } from "../parts/floating";
import { useLeftPlace } from "../parts/left-place";
import { type Card, closeCard } from "../store/card";
import { groups, users } from "../store/state";
import { GroupCard } from "./group-card";
import { PersonCard } from "./person-card";

/**
 * A card above the page. A click beside it, Esc, and a link in it that leads elsewhere close it.
 */
export function CardAbove({ card }: { card: Card }) {
  const element = useRef<HTMLDivElement>(null);
  useLeftPlace(() => closeCard(card));
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    // The first card is loaded late. If the person is writing by then, the card does not take the
    // focus.
    if (document.activeElement?.matches("textarea, input")) return closeCard(card);
    const anchor = card.anchor.getBoundingClientRect();
    current.showPopover();
    current.focus();
    // This comes last, because the card stays in its place when shared channels make it higher
    // later.
    const place = () => placeBeside(current, besideStart(current, anchor));
    place();
    addEventListener("resize", place);
    return () => removeEventListener("resize", place);
  }, [card]);
  const user = card.kind === "person" ? users.value.get(card.id) : undefined;
  const group = card.kind === "group" ? groups.value.get(card.id) : undefined;
  const isGone = !user && !group;
  useLayoutEffect(() => {
    if (isGone) closeCard(card);
  }, [card, isGone]);
  return (
    <div
      ref={element}
      popover="auto"
      class="menu card"
      role="dialog"
      aria-label={user?.full_name ?? group?.name}
      tabIndex={-1}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("a, .closing"))
          element.current?.hidePopover();
      }}
      onKeyDown={() => undefined}
      onToggle={({ newState }) => {
        if (newState === "closed") closeCard(card);
      }}
    >
      {user && <PersonCard key={user.user_id} user={user} />}
      {group && <GroupCard key={group.id} group={group} anchor={card.anchor} />}
    </div>
  );
}

/** A rectangle as wide as the card, so that the card begins where its anchor begins. */
function besideStart(card: HTMLElement, { left, right, top, height }: DOMRect): DOMRect {
  const { offsetWidth: width } = card;
  const isFromRight = getComputedStyle(card).direction === "rtl";
  return new DOMRect(isFromRight ? right - width : left, top, width, height);
}
