import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { showText } from "../feed/message-source";
import { isDialogOpen } from "../parts/dialog";
import { keyName } from "../parts/key-names";
import {
  acceptOtherText,
  cancelEdit,
  type Edit,
  leaveEdit,
  lostTexts,
  openEdit,
  saveEdit,
  takeFocus,
} from "../store/editing";
import { tooLong } from "../store/message-length";
import { settings } from "../store/state";
import { changeWords } from "../words/changes";
import { words } from "../words/words";
import { editBoxOf } from "./edit-boxes";
import { FileList } from "./files";
import { FloatingOffers } from "./offer-list";
import { PreviewPane } from "./preview";
import { useDropArea } from "./take-files";
import { TextTools } from "./tools";
import { mentionWarnings } from "./warnings";
import { focusAtEnd, WritingField } from "./writing-field";

/** The box in which a message is edited. */
export function EditBox({ messageId, edit }: { messageId: number; edit: Edit }) {
  const box = editBoxOf(messageId);
  const element = useRef<HTMLDivElement>(null);
  const isLoaded = edit.original !== undefined;
  useLayoutEffect(() => {
    // If the box is drawn again, because its row was scrolled out of view, it does not take the
    // focus.
    if (isLoaded && takeFocus(messageId)) focusAtEnd(box);
  }, [isLoaded, messageId, box]);
  useDropArea(box, element);
  const leave = () => {
    const row = element.current?.closest<HTMLElement>("article");
    leaveEdit(messageId);
    row?.focus({ preventScroll: true });
  };
  const save = () => void saveEdit(messageId);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the page do not act on a text.
    <div class="edit" ref={element} onKeyDown={(event) => event.stopPropagation()}>
      <div class="writing">
        <FloatingOffers box={box} />
        {box.preview.shown.value ? (
          <PreviewPane box={box} />
        ) : (
          <WritingField
            box={box}
            label={words.actions.editLabel}
            describedBy={`${box.id}-told`}
            isReadOnly={!isLoaded}
            submit={save}
            leave={leave}
          />
        )}
        <FileList box={box} />
        <div class="tools">
          <TextTools box={box} />
        </div>
      </div>
      <Troubles messageId={messageId} edit={edit} />
      <div class="end">
        <button type="button" class="button primary" aria-busy={edit.isSaving} onClick={save}>
          {words.actions.save}
        </button>
        <button type="button" class="button" onClick={() => cancelEdit(messageId)}>
          {words.actions.cancel}
        </button>
        <small>
          {words.actions.editKeys(keyName(settings.value.enter_sends ? "Enter" : "Ctrl Enter"))}
        </small>
      </div>
    </div>
  );
}

/** Reasons why the text was not saved. */
const Troubles = ({ messageId, edit }: { messageId: number; edit: Edit }) => (
  <div id={`${editBoxOf(messageId).id}-told`} role="alert">
    <Remarks messageId={messageId} edit={edit} />
    {edit.refusal !== undefined && (
      <p class="refusal" dir="auto">
        {edit.refusal}
      </p>
    )}
    {edit.theirs !== undefined && (
      <>
        <p class="refusal">{changeWords.changedMeanwhile}</p>
        <blockquote dir="auto">{edit.theirs}</blockquote>
        <button type="button" class="chip" onClick={() => acceptOtherText(messageId)}>
          {changeWords.takeTheirs}
        </button>
      </>
    )}
  </div>
);

/** Remarks about effects of the changed text that its writer may not expect. */
function Remarks({ messageId, edit }: { messageId: number; edit: Edit }) {
  const target = editBoxOf(messageId).target.value;
  const isChanged = edit.text !== edit.original;
  const remarks = isChanged ? [...mentionWarnings(target, edit.text)] : [];
  const over = tooLong(edit.text);
  return (
    <>
      {over !== undefined && <p class="refusal">{over}</p>}
      {remarks.map((remark) => (
        <p key={remark} class="remark" dir="auto">
          {remark}
        </p>
      ))}
    </>
  );
}

/** Tells that a message has an edit that was not saved, and opens it again. */
export const KeptEdit = ({ messageId }: { messageId: number }) => (
  <p class="kept-edit">
    {words.actions.notSaved}{" "}
    <button type="button" class="chip" onClick={() => void openEdit(messageId)}>
      {changeWords.goOn}
    </button>{" "}
    <button type="button" class="chip" onClick={() => cancelEdit(messageId)}>
      {changeWords.giveUp}
    </button>
  </p>
);

/**
 * Shows the texts of messages that were deleted while they were being edited, so that they can be
 * copied: one after the other, and not over another dialog, which would be closed by it. A text
 * over which another dialog opens is shown again after that.
 */
export function LostTexts() {
  const [text] = lostTexts.value;
  const isCovered = isDialogOpen.value;
  useEffect(() => {
    if (text === undefined || isCovered) return;
    const onClose = (isReplaced: boolean) => {
      if (!isReplaced) lostTexts.value = lostTexts.value.slice(1);
    };
    showText(changeWords.gone, text, { why: changeWords.goneHelp, onClose });
  }, [text, isCovered]);
  return null;
}
