import { useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../parts/composing";
import { Icon } from "../parts/icon";
import { linesOf } from "../parts/roving-lines";
import { railFilter } from "../store/rail-lists";
import { words } from "../words/words";

/** The field that filters the rail by name, if it is open. */
export function RailFilter() {
  const isOpen = railFilter.value !== undefined;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <div class="filter">
      <input
        ref={field}
        type="search"
        aria-label={words.views.filterChannels}
        placeholder={words.views.filterChannels}
        value={railFilter.value}
        onInput={({ currentTarget }) => {
          railFilter.value = currentTarget.value;
        }}
        onKeyDown={onKey}
      />
      <button
        type="button"
        class="tool"
        title={words.close}
        aria-label={words.close}
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

function close(): void {
  railFilter.value = undefined;
}

/**
 * Enter opens the first conversation, the down arrow goes into the list, and Esc removes the
 * filter.
 */
function onKey(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
  if (isComposing(event)) return;
  const { key, currentTarget } = event;
  if (!["Enter", "ArrowDown", "Escape"].includes(key)) return;
  event.preventDefault();
  event.stopPropagation();
  const list = currentTarget.closest(".rail")?.querySelector("nav");
  const [first] = list ? linesOf(list) : [];
  if (key === "ArrowDown") first?.focus();
  if (key === "Enter") first?.click();
  if (key !== "ArrowDown") close();
}
