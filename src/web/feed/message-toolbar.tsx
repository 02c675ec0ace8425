import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { FlaggedMessage } from "../model/message";
import { mayReact } from "../model/reacting";
import { Icon, type IconName } from "../parts/icon";
import { keyName } from "../parts/key-names";
import { moveFocus } from "../parts/roving";
import { focused, hovered, pinned } from "../store/active-message";
import { isStarred, toggleStar } from "../store/stars";
import { model } from "../store/state";
import { words } from "../words/words";
import { openMessageMenu, openReactionPicker, replyTo } from "./message-actions";

/** The actions of a message, shown while the pointer or the focus is on it. */
export function Actions({ message }: { message: FlaggedMessage }) {
  const { id } = message;
  const isShown = useComputed(() =>
    pinned.value === undefined ? hovered.value === id || focused.value === id : pinned.value === id,
  );
  return isShown.value ? <Toolbar message={message} /> : null;
}

function Toolbar({ message }: { message: FlaggedMessage }) {
  const { id } = message;
  const isOn = isStarred(id);
  return (
    <div
      class="actions"
      role="toolbar"
      aria-label={words.actions.ofMessage}
      onKeyDown={(event) => {
        const tools = event.currentTarget.querySelectorAll<HTMLElement>("button");
        if (moveFocus(event, [...tools], "horizontal")) event.stopPropagation();
      }}
    >
      {mayReact(model.value, message) && (
        <Tool
          icon="smile"
          name={words.actions.react}
          keys=":"
          opens="dialog"
          run={(button) => openReactionPicker(id, button)}
        />
      )}
      <Tool icon="reply" name={words.actions.reply} keys="r" run={() => replyTo(id)} />
      <Tool
        icon="star"
        name={isOn ? words.actions.unstar : words.actions.star}
        keys="Ctrl S"
        isOn={isOn}
        run={() => toggleStar(id)}
      />
      <Tool
        icon="more"
        name={words.actions.more}
        keys="i"
        opens="menu"
        run={(button) => openMessageMenu(id, button)}
      />
    </div>
  );
}

interface ToolProps {
  icon: IconName;
  name: string;
  keys: string;
  isOn?: boolean;
  opens?: "dialog" | "menu";
  run: (button: HTMLElement) => void;
}

const Tool = ({ icon, name, keys, isOn, opens, run }: ToolProps) => (
  <button
    type="button"
    class={isOn ? "tool on" : "tool"}
    title={`${name}  ${keyName(keys)}`}
    aria-label={name}
    aria-haspopup={opens}
    onClick={({ currentTarget }) => run(currentTarget)}
  >
    <Icon name={icon} />
  </button>
);

/**
 * The time for which a finger must rest on a message to open its menu, and the movement that
 * cancels it.
 */
const longPress = { milliseconds: 500, pixels: 10 };

/** Follows which message of a feed has the pointer, the focus or a long press. */
export function useActiveMessage(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const ends = new AbortController();
    const { signal } = ends;
    const follow = (target: EventTarget | null) => {
      const isHere = target instanceof Element && element.contains(target);
      focused.value = isHere && target.matches(":focus-visible") ? messageAt(target) : undefined;
    };
    element.addEventListener(
      "pointerover",
      ({ target, pointerType }) => {
        if (pointerType !== "touch") hovered.value = messageAt(target);
      },
      { signal },
    );
    element.addEventListener("pointerleave", () => leave(hovered), { signal });
    // The actions only disappear when another element has the focus. A browser checks again whether
    // an element can be focused if the page changes while the focus moves, and at that moment long
    // lines of code cannot.
    document.addEventListener("focusin", ({ target }) => follow(target), { signal });
    // A message may have got the focus before this part of the client was loaded.
    follow(document.activeElement);
    element.addEventListener(
      "focusout",
      ({ relatedTarget }) => {
        if (relatedTarget === null) leave(focused);
      },
      { signal },
    );
    followLongPress(element, signal);
    return () => {
      ends.abort();
      leave(hovered);
      leave(focused);
    };
  }, [scroller]);
}

const leave = (active: typeof hovered): void => {
  active.value = undefined;
};

/**
 * Opens the menu of a message after a long press, when the finger is lifted, because a browser
 * closes a popover when a finger is lifted outside of it.
 */
function followLongPress(element: HTMLElement, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = { x: 0, y: 0 };
  let pressed: HTMLElement | undefined;
  const end = () => {
    clearTimeout(timer);
    pressed?.classList.remove("pressed");
    pressed = undefined;
  };
  const begin = ({ target, pointerType, clientX, clientY }: PointerEvent) => {
    end();
    const row = pressableAt(target);
    if (pointerType !== "touch" || !row) return;
    start = { x: clientX, y: clientY };
    timer = setTimeout(() => {
      pressed = row;
      row.classList.add("pressed");
    }, longPress.milliseconds);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - start.x, clientY - start.y) > longPress.pixels) end();
  };
  const release = () => {
    const id = messageAt(pressed);
    end();
    if (id !== undefined) setTimeout(() => openMessageMenu(id));
  };
  element.addEventListener("pointerdown", begin, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", release, { signal });
  element.addEventListener("pointercancel", release, { signal });
  element.addEventListener("scroll", end, { signal });
}

/**
 * The row of a message, at a place without a long press of its own, such as that of links and
 * pictures.
 */
function pressableAt(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest("a, button, img, textarea")) return undefined;
  return target.closest<HTMLElement>("article .row") ?? undefined;
}

/** The message of the row that contains an element. */
function messageAt(target: EventTarget | null | undefined): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-id]") : null;
  return row ? Number(row.dataset["id"]) : undefined;
}
