import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../parts/composing";
import { keyName } from "../parts/key-names";
import {
  cancelEdit,
  changeText,
  type Edit,
  leaveEdit,
  lostTexts,
  openEdit,
  saveEdit,
  takeFocus,
  takeTheirs,
} from "../store/editing";
import { settings } from "../store/state";
import { words } from "../words/words";
import { showText } from "./message-source";

/** The box in which a message is changed. */
export function EditBox({ messageId, edit }: { messageId: number; edit: Edit }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const isLoaded = edit.original !== undefined;
  useLayoutEffect(() => {
    const { current } = box;
    // A box that is drawn again, because its row was scrolled away, does not take the focus.
    if (!current || !isLoaded || !takeFocus(messageId)) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, [isLoaded, messageId]);
  const leave = () => {
    const row = box.current?.closest<HTMLElement>("article");
    leaveEdit(messageId);
    row?.focus({ preventScroll: true });
  };
  const save = () => void saveEdit(messageId);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of the page do not act on a text.
    event.stopPropagation();
    if (isComposing(event)) return;
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && sends(event)) save();
    else return;
    event.preventDefault();
  };
  return (
    <div class="edit">
      <textarea
        ref={box}
        class="field"
        dir="auto"
        aria-label={words.actions.editLabel}
        readOnly={!isLoaded}
        value={edit.text}
        rows={1}
        onInput={({ currentTarget }) => changeText(messageId, currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Troubles messageId={messageId} edit={edit} />
      <div class="end">
        <button type="button" class="button primary" aria-busy={edit.isSaving} onClick={save}>
          {words.actions.save}
        </button>
        <button type="button" class="button" onClick={() => cancelEdit(messageId)}>
          {words.actions.cancel}
        </button>
        <small>
          {words.actions.editKeys(settings.value.enter_sends ? "Enter" : keyName("Ctrl Enter"))}
        </small>
      </div>
    </div>
  );
}

/** Enter saves, or Ctrl Enter: as the person sends messages. */
const sends = ({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (settings.value.enter_sends && !shiftKey);

/** Reasons why a text is not saved yet. */
const Troubles = ({ messageId, edit }: { messageId: number; edit: Edit }) => (
  <div role="alert">
    {edit.refusal !== undefined && (
      <p class="refusal" dir="auto">
        {edit.refusal}
      </p>
    )}
    {edit.theirs !== undefined && (
      <>
        <p class="refusal">{words.actions.changedMeanwhile}</p>
        <blockquote dir="auto">{edit.theirs}</blockquote>
        <button type="button" class="chip" onClick={() => takeTheirs(messageId)}>
          {words.actions.takeTheirs}
        </button>
      </>
    )}
  </div>
);

/** Tells that a message has a changed text that was not saved, and leads back to it. */
export const KeptEdit = ({ messageId }: { messageId: number }) => (
  <p class="kept-edit">
    {words.actions.notSaved}{" "}
    <button type="button" class="chip" onClick={() => void openEdit(messageId)}>
      {words.actions.goOn}
    </button>{" "}
    <button type="button" class="chip" onClick={() => cancelEdit(messageId)}>
      {words.actions.giveUp}
    </button>
  </p>
);

/** Shows texts of messages that were deleted while they were changed, so that they can be copied. */
export function LostTexts() {
  const [text] = lostTexts.value;
  useEffect(() => {
    if (text === undefined) return;
    lostTexts.value = lostTexts.value.slice(1);
    showText(words.actions.gone, text, words.actions.goneHelp);
  }, [text]);
  return null;
}
