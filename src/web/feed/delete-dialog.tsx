import { remove } from "../net/api";
import { closeDialog, DialogForm, showDialog } from "../parts/dialog";
import { notify } from "../store/notices";
import { words } from "../words/words";

/** Asks whether a message is to be deleted for everybody. */
export const openDelete = (messageId: number): void =>
  showDialog({
    title: words.actions.deleteTitle,
    body: () => (
      <DialogForm action={words.actions.delete} isDangerous send={() => deleteForAll(messageId)}>
        <p>{words.actions.deleteWarning}</p>
      </DialogForm>
    ),
  });

async function deleteForAll(messageId: number): Promise<void> {
  await remove("/messages/{message_id}", { message_id: messageId });
  closeDialog();
  notify(words.actions.deleted);
}
