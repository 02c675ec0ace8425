import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { FlaggedMessage } from "../model/message";
import { mayReact } from "../model/permissions";
import { Icon, type IconName } from "../parts/icon";
import { moveFocus } from "../parts/roving";
import { focused, hovered, pinned } from "../store/active-message";
import { isStarred, toggleStar } from "../store/stars";
import { model } from "../store/state";
import { words } from "../words/words";
import { openMessageMenu, openReactionPicker, replyTo } from "./message-commands";

/** Actions of a message, while it is pointed at or focused. */
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
  opens?: "menu";
  run: (button: HTMLElement) => void;
}

const Tool = ({ icon, name, keys, isOn, opens, run }: ToolProps) => (
  <button
    type="button"
    class={isOn ? "tool on" : "tool"}
    title={`${name}  ${keys}`}
    aria-label={name}
    aria-haspopup={opens}
    onClick={({ currentTarget }) => run(currentTarget)}
  >
    <Icon name={icon} />
  </button>
);

/** A finger that rests on a message for so long opens its menu, unless it moves so many pixels. */
const longPress = { milliseconds: 500, pixels: 10 };

/** Follows which message of a feed is pointed at, focused or pressed for long. */
export function useActiveMessage(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const ends = new AbortController();
    const { signal } = ends;
    element.addEventListener(
      "pointerover",
      ({ target, pointerType }) => {
        if (pointerType !== "touch") hovered.value = messageAt(target);
      },
      { signal },
    );
    element.addEventListener("pointerleave", () => leave(hovered), { signal });
    element.addEventListener(
      "focusin",
      ({ target }) => {
        const isByKeyboard = target instanceof Element && target.matches(":focus-visible");
        focused.value = isByKeyboard ? messageAt(target) : undefined;
      },
      { signal },
    );
    element.addEventListener("focusout", () => leave(focused), { signal });
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

function followLongPress(element: HTMLElement, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = { x: 0, y: 0 };
  const end = () => clearTimeout(timer);
  element.addEventListener(
    "pointerdown",
    (event) => {
      const { target, pointerType, clientX, clientY } = event;
      end();
      // Links, buttons and pictures have a long press of their own.
      const isOwn = target instanceof Element && target.closest("a, button, img, textarea");
      const id = messageAt(target);
      if (pointerType !== "touch" || id === undefined || isOwn) return;
      start = { x: clientX, y: clientY };
      timer = setTimeout(() => openMessageMenu(id), longPress.milliseconds);
    },
    { signal },
  );
  element.addEventListener(
    "pointermove",
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > longPress.pixels) end();
    },
    { signal },
  );
  for (const type of ["pointerup", "pointercancel", "scroll"])
    element.addEventListener(type, end, { signal });
}

/** Message of the row in which something stands. */
function messageAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-id]") : null;
  return row ? Number(row.dataset["id"]) : undefined;
}
