import { useState } from "preact/hooks";
import { sendBeside } from "../compose/send";
import { written } from "../model/new-widget";
import { refusedHere } from "../net/refusal";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { composeWords } from "../words/compose";
import { widgetWords } from "../words/widgets";

type Kind = "poll" | "todo";
const kinds: readonly Kind[] = ["poll", "todo"];

/** Asks for a poll or a to-do list, and sends it to the recipient of the box. */
export const openNewWidget = (kind: Kind): void =>
  showDialog({ title: widgetWords.make, body: () => <NewWidget first={kind} /> });

const nothingYet = { title: "", lines: "" };

function NewWidget({ first }: { first: Kind }) {
  const [kind, setKind] = useState(first);
  const { form, set, end } = useBegunForm("new widget", nothingYet);
  const send = async () => {
    const refusal = sendBeside(written(kind, form.title, form.lines));
    if (refusal !== undefined) throw refusedHere(refusal);
    end();
  };
  const isPoll = kind === "poll";
  return (
    <DialogForm action={composeWords.send} send={send}>
      <fieldset>
        <legend>{widgetWords.kind}</legend>
        {kinds.map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
            {one === "poll" ? widgetWords.noQuestion : widgetWords.taskList}
          </label>
        ))}
      </fieldset>
      <label class="labelled">
        {isPoll ? widgetWords.question : widgetWords.title}
        <input
          type="text"
          class="field"
          dir="auto"
          required={isPoll}
          value={form.title}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </label>
      <label class="labelled">
        {isPoll ? widgetWords.optionLines : widgetWords.taskLines}
        <textarea
          class="field"
          dir="auto"
          rows={5}
          value={form.lines}
          onInput={({ currentTarget }) => set({ lines: currentTarget.value })}
        />
      </label>
    </DialogForm>
  );
}
