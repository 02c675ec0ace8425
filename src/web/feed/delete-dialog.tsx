import { remove } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { notify } from "../store/notices";
import { changeWords } from "../words/changes";
import { words } from "../words/words";

/** Asks whether to delete a message for everybody. */
export const openDelete = (messageId: number): void =>
  showDialog({
    title: changeWords.deleteTitle,
    body: () => (
      <DialogForm action={words.actions.delete} isDangerous send={() => deleteForAll(messageId)}>
        <p>{changeWords.deleteWarning}</p>
      </DialogForm>
    ),
  });

async function deleteForAll(messageId: number): Promise<void> {
  await remove("/messages/{message_id}", { message_id: messageId });
  notify(words.actions.deleted);
}
