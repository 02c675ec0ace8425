import { useState } from "preact/hooks";
import { sendBeside } from "../compose/send";
import { written } from "../model/new-widget";
import { Refusal } from "../net/refusal";
import { DialogForm, showDialog } from "../parts/dialog";
import { widgetWords } from "../words/widgets";
import { words } from "../words/words";

type Kind = "poll" | "todo";
const kinds: readonly Kind[] = ["poll", "todo"];

/** Asks for a poll or a to-do list, which goes to the recipient of the box. */
export const openNewWidget = (kind: Kind): void =>
  showDialog({ title: widgetWords.make, body: () => <NewWidget first={kind} /> });

/** Texts that were begun and not sent: a closed dialog loses none of them. */
const empty = { title: "", lines: "" };
let begun = empty;

function NewWidget({ first }: { first: Kind }) {
  const [kind, setKind] = useState(first);
  const [texts, setTexts] = useState(begun);
  const set = (changes: Partial<typeof texts>) => {
    begun = { ...texts, ...changes };
    setTexts(begun);
  };
  const send = async () => {
    const refusal = sendBeside(written(kind, texts.title, texts.lines));
    if (refusal !== undefined) throw new Refusal(400, "BAD_REQUEST", refusal);
    begun = empty;
  };
  const isPoll = kind === "poll";
  return (
    <DialogForm action={words.compose.send} send={send}>
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
          value={texts.title}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </label>
      <label class="labelled">
        {isPoll ? widgetWords.optionLines : widgetWords.taskLines}
        <textarea
          class="field"
          dir="auto"
          rows={5}
          value={texts.lines}
          onInput={({ currentTarget }) => set({ lines: currentTarget.value })}
        />
      </label>
    </DialogForm>
  );
}
