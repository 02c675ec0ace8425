import { batch } from "@preact/signals";
import { boxTarget, boxText, chooseTarget } from "../store/box";
import { words } from "../words/words";
import { field } from "./field";
import { FileList } from "./files";
import { OfferList } from "./offer-list";
import { isPreviewed, PreviewPane } from "./preview";
import { RecipientLine } from "./recipient-line";
import { obstacle, send, tooLongNow } from "./send";
import { TextField } from "./text";
import { Tools } from "./tools";
import { closedBecause, Warnings } from "./warnings";

/** The box in which messages are written, with their recipient above. */
export function Compose() {
  const closed = closedBecause();
  if (closed !== undefined) return <Closed reason={closed} />;
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault();
        batch(send);
        field.current?.focus();
      }}
    >
      <OfferList />
      <RecipientLine />
      {isPreviewed.value ? <PreviewPane /> : <TextField />}
      <FileList />
      <Warnings />
      <p id="compose-told" class="told" role="status" dir="auto">
        {obstacle.value ?? tooLongNow()}
      </p>
      <Tools />
    </form>
  );
}

/** Words in place of the box. A text that was begun can go elsewhere. */
const Closed = ({ reason }: { reason: string }) => (
  <div class="compose closed" role="status">
    <span dir="auto">{reason}</span>
    {boxText.value !== "" && (
      <>
        <q dir="auto">{boxText.value}</q>
        <button type="button" class="chip" onClick={() => chooseTarget(boxTarget.value)}>
          {words.compose.otherRecipient}
        </button>
      </>
    )}
  </div>
);
