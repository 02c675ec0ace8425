import { signal } from "@preact/signals";
import { boxKey, boxTarget, boxText, writeText } from "../store/box";
import { draftOf, writeDraft } from "../store/drafts";
import { textBox } from "./text-box";

/** Why the text could not be sent when its writer tried. It disappears when they write on. */
export const obstacle = signal<string | undefined>(undefined);

/** The box of new messages. */
export const messageBox = textBox("compose", {
  key: boxKey,
  text: boxText,
  target: boxTarget,
  write: writeText,
  replaceAway: (key, before, after) => {
    const draft = draftOf(key);
    if (draft)
      writeDraft(
        key,
        draft.target,
        draft.content.replace(before, () => after),
      );
  },
  tell: (reason) => {
    obstacle.value = reason;
  },
});
