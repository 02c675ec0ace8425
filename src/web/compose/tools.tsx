import { pickEmoji } from "../parts/emoji-picker-host";
import { Icon, type IconName } from "../parts/icon";
import { keyName } from "../parts/key-names";
import { withRarePart } from "../parts/rare";
import { server, settings } from "../store/state";
import { composeWords } from "../words/compose";
import { applyChange, insertText } from "./field";
import { type Format, format } from "./format";
import { messageBox } from "./message-box";
import { chooseFiles } from "./take-files";
import type { TextBox } from "./text-box";

/** Formats the selection in a box. */
export function formatSelection(box: TextBox, name: Format): void {
  const element = box.field.current;
  const text = element?.value ?? box.text.peek();
  const selection = {
    start: element?.selectionStart ?? text.length,
    end: element?.selectionEnd ?? text.length,
  };
  applyChange(box, format(name, text, selection));
}

const chooseEmoji = (box: TextBox, anchor: HTMLElement): void =>
  pickEmoji({ anchor, pick: ({ emoji_name: name }) => insertText(box, `:${name}: `) });

const formats: readonly { readonly name: Format; readonly keys: string }[] = [
  { name: "bold", keys: "Ctrl B" },
  { name: "italic", keys: "Ctrl I" },
  { name: "code", keys: "Ctrl Shift C" },
  { name: "link", keys: "Ctrl Shift L" },
  { name: "list", keys: "" },
];

/** Asks when to send the text in the box. */
export function sendLater(anchor = document.querySelector<HTMLElement>(".send-later")): void {
  if (anchor) void withRarePart("later", ({ openSendLater }) => openSendLater(anchor));
}

/** The line below the text, with the tools and the send button. */
export const Tools = () => (
  <div class="tools">
    <TextTools box={messageBox} />
    <Tool
      icon="check"
      label={composeWords.pollOrTasks}
      form="wide"
      opens="dialog"
      run={() => void withRarePart("widgets", ({ openNewWidget }) => openNewWidget("poll"))}
    />
    <Hint />
    <Tool
      icon="clock"
      label={composeWords.sendLater}
      form="send-later"
      opens="menu"
      run={sendLater}
    />
    <button type="submit" class="send">
      {composeWords.send}
      <Icon name="send" />
    </button>
  </div>
);

/** Tools for the text in a box. */
export const TextTools = ({ box }: { box: TextBox }) => (
  <>
    <Tool
      icon="attach"
      label={composeWords.attach(server.value.max_file_upload_size_mib)}
      run={() => chooseFiles(box)}
    />
    <Tool
      icon="smile"
      label={composeWords.emoji}
      opens="dialog"
      run={(anchor) => chooseEmoji(box, anchor)}
    />
    {formats.map(({ name, keys }) => (
      <Tool
        key={name}
        icon={name}
        label={`${composeWords.formats[name]}  ${keyName(keys)}`.trim()}
        form="wide"
        run={() => formatSelection(box, name)}
      />
    ))}
    <Tool
      icon="eye"
      label={`${composeWords.preview}  ${keyName("Alt P")}`}
      isPressed={box.preview.shown.value !== undefined}
      run={() => box.preview.toggle()}
    />
  </>
);

interface ToolProps {
  icon: IconName;
  label: string;
  /** A class of tools for the style sheets: small screens hide wide tools. */
  form?: "wide" | "send-later";
  isPressed?: boolean;
  /** A dialog or menu that the tool opens, which screen readers announce. */
  opens?: "dialog" | "menu";
  run: (anchor: HTMLElement) => void;
}

const Tool = ({ icon, label, form, isPressed, opens, run }: ToolProps) => (
  <button
    type="button"
    class={form ? `tool ${form}` : "tool"}
    title={label}
    aria-label={label}
    aria-pressed={isPressed}
    aria-haspopup={opens}
    // The text field keeps the focus and its selection.
    onMouseDown={(event) => event.preventDefault()}
    onClick={({ currentTarget }) => run(currentTarget)}
  >
    <Icon name={icon} />
  </button>
);

function Hint() {
  return settings.value.enter_sends ? (
    <span class="hint">
      <kbd>{keyName("Enter")}</kbd> {composeWords.sends}, <kbd>{keyName("Shift Enter")}</kbd>{" "}
      {composeWords.newLine}
    </span>
  ) : (
    <span class="hint">
      <kbd>{keyName("Ctrl Enter")}</kbd> {composeWords.sends}
    </span>
  );
}
