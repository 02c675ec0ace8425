import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon";
import { settings } from "../store/state";
import { words } from "../words/words";
import { boxKey, boxTarget, boxText, focusAsked, writeText } from "./box";
import { sendBox } from "./send";
import { nameOf, To } from "./to";

/** Reason why the text was not sent when its writer wanted that, until they go on writing. */
const obstacle = signal<string | undefined>(undefined);

function send(): void {
  obstacle.value = sendBox();
}

/** The box in which messages are written, with their recipient above. */
export function Compose() {
  const field = useRef<HTMLTextAreaElement>(null);
  const asked = focusAsked.value;
  useEffect(() => {
    if (asked > 0) field.current?.focus();
  }, [asked]);
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault();
        send();
        field.current?.focus();
      }}
    >
      <To />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        value={boxText.value}
        placeholder={words.compose.placeholder}
        aria-label={words.compose.messageTo(nameOf(boxTarget.value))}
        aria-describedby="compose-told"
        onInput={({ currentTarget }) => {
          obstacle.value = undefined;
          writeText(currentTarget.value);
        }}
        onKeyDown={onKey}
        key={boxKey.value}
      />
      <p id="compose-told" class="told" role="status">
        {obstacle.value}
      </p>
      <div class="tools">
        <Hint />
        <button type="submit" class="send">
          {words.compose.send}
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

function Hint() {
  return settings.value.enter_sends ? (
    <span class="hint">
      <kbd>Enter</kbd> {words.compose.sends}, <kbd>Shift Enter</kbd> {words.compose.newLine}
    </span>
  ) : (
    <span class="hint">
      <kbd>Ctrl Enter</kbd> {words.compose.sends}
    </span>
  );
}

/** Whether a key belongs to the words that somebody is choosing with an input method. */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === 229;

function onKey(event: KeyboardEvent): void {
  if (isComposing(event)) return;
  if (event.key === "Escape") {
    event.preventDefault();
    leave();
  } else if (event.key === "Enter" && isSending(event)) {
    event.preventDefault();
    send();
  }
}

const isSending = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (settings.value.enter_sends && !shiftKey && !altKey);

/** Leaves the box for the messages; the text stays. */
function leave(): void {
  const feed = document.querySelector<HTMLElement>(".feed");
  if (feed) feed.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
