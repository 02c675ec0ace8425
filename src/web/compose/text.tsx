import { useLayoutEffect } from "preact/hooks";
import { focusHome } from "../parts/focus-home";
import { boxTarget, editLast, focusAsked, goToTarget } from "../store/box";
import { composeWords } from "../words/compose";
import { messageBox } from "./message-box";
import { nameOf } from "./recipient-line";
import { send } from "./send";
import { noteTyping } from "./typing";
import { focusAtEnd, useIsWritingOn, WritingField } from "./writing-field";

/**
 * The last request that has focused the text. A box that is drawn later does not take the focus
 * again.
 */
let focusTaken = 0;

/** The field in which a message is written. */
export function TextField() {
  const asked = focusAsked.value;
  // The focus moves at once, so that the next key press already goes into the box.
  useLayoutEffect(() => {
    if (asked > focusTaken) focusAtEnd(messageBox);
    focusTaken = asked;
  }, [asked]);
  const isWritingOn = useIsWritingOn(messageBox);
  useLayoutEffect(() => {
    if (isWritingOn && document.activeElement !== messageBox.field.current) focusAtEnd(messageBox);
  });
  return (
    <WritingField
      box={messageBox}
      label={composeWords.messageTo(nameOf(boxTarget.value))}
      describedBy="compose-told"
      placeholder={composeWords.placeholder}
      onWrite={noteTyping}
      submit={send}
      leave={leave}
      takeKey={takeKey}
    />
  );
}

function takeKey(stroke: string, { value }: HTMLTextAreaElement): boolean {
  if (stroke === "ArrowUp" && value === "") return editLast();
  if (stroke === "Ctrl .") goToTarget();
  return stroke === "Ctrl .";
}

/** Leaves the box for the messages. The text is kept. */
function leave(): void {
  const messages = document.querySelector<HTMLElement>(".feed");
  if (messages) messages.focus();
  else focusHome();
}
