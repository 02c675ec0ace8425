import { batch } from "@preact/signals";
import { field } from "./field";
import { FileList } from "./files";
import { OfferList } from "./offer-list";
import { isPreviewed, PreviewPane } from "./preview";
import { obstacle, send, tooLongNow } from "./send";
import { TextField } from "./text";
import { To } from "./to";
import { Tools } from "./tools";
import { closedBecause, Warnings } from "./warnings";

/** The box in which messages are written, with their recipient above. */
export function Compose() {
  const closed = closedBecause();
  if (closed !== undefined)
    return (
      <p class="compose closed" dir="auto">
        {closed}
      </p>
    );
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
      <To />
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
