import { batch } from "@preact/signals";
import { boxTarget, boxText, openRecipient } from "../store/box";
import { tooLong } from "../store/message-length";
import { composeWords } from "../words/compose";
import { FileList } from "./files";
import { messageBox, obstacle } from "./message-box";
import { OfferList } from "./offer-list";
import { PreviewPane } from "./preview";
import { RecipientLine } from "./recipient-line";
import { send } from "./send";
import { TextField } from "./text";
import { Tools } from "./tools";
import { closedBecause, Warnings } from "./warnings";

/** The box in which messages are written, with the recipient above it. */
export function Compose() {
  const closed = closedBecause();
  if (closed !== undefined) return <Closed reason={closed} />;
  return (
    <form
      class="compose writing"
      onSubmit={(event) => {
        event.preventDefault();
        batch(send);
        messageBox.field.current?.focus();
      }}
    >
      <OfferList box={messageBox} />
      <RecipientLine />
      {messageBox.preview.shown.value ? <PreviewPane box={messageBox} /> : <TextField />}
      <FileList box={messageBox} />
      <Warnings />
      <p id="compose-told" class="told" role="status" dir="auto">
        {obstacle.value ?? tooLong(boxText.value)}
      </p>
      <Tools />
    </form>
  );
}

/** Shown instead of the box. A text that was begun can be sent elsewhere. */
const Closed = ({ reason }: { reason: string }) => (
  <div class="compose writing closed" role="status">
    <span dir="auto">{reason}</span>
    {boxText.value !== "" && (
      <>
        <q dir="auto">{boxText.value}</q>
        <button type="button" class="chip" onClick={() => openRecipient(boxTarget.value)}>
          {composeWords.otherRecipient}
        </button>
      </>
    )}
  </div>
);
