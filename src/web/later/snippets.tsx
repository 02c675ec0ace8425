import { lengthsMax } from "../../protocol/limits";
import type { Snippet } from "../model/wire";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { attempt, notify } from "../store/notices";
import {
  changeSnippet,
  removeSnippet,
  type SnippetText,
  saveSnippet,
  snippetList,
} from "../store/snippets";
import { laterWords } from "../words/later";
import { words } from "../words/words";
import { KeptAction, KeptList } from "./kept-list";

/** Texts that the person has saved to use again. */
export const Snippets = () => (
  <KeptList
    label={words.views.snippets}
    rows={snippetList.value}
    none={laterWords.snippets}
    draw={(snippet) => <SnippetLine key={snippet.id} snippet={snippet} />}
  >
    <div class="choices">
      <p class="quiet">{laterWords.snippets.use}</p>
      <button type="button" class="button" onClick={() => openSnippet()}>
        <Icon name="plus" /> {laterWords.snippets.make}
      </button>
    </div>
  </KeptList>
);

const SnippetLine = ({ snippet }: { snippet: Snippet }) => (
  <li>
    <div class="to">
      <b dir="auto">{snippet.title}</b>
    </div>
    <p class="text" dir="auto">
      {snippet.content}
    </p>
    <div class="choices">
      <KeptAction
        name={laterWords.change}
        label={laterWords.changeNamed(snippet.title)}
        run={() => openSnippet(snippet)}
      />
      <KeptAction
        name={laterWords.remove}
        label={laterWords.removeNamed(snippet.title)}
        run={() => void deleteSnippet(snippet)}
      />
    </div>
  </li>
);

async function deleteSnippet(snippet: Snippet): Promise<void> {
  if (!(await attempt(() => removeSnippet(snippet.id)))) return;
  notify(laterWords.snippets.deleted, () => void attempt(() => saveSnippet(snippet)));
}

/** Asks for the title and the text of a new or changed snippet. */
const openSnippet = (snippet?: Snippet): void =>
  showDialog({
    title: snippet ? laterWords.snippets.change : laterWords.snippets.make,
    body: () => <SnippetForm snippet={snippet} />,
  });

function SnippetForm({ snippet }: { snippet: Snippet | undefined }) {
  const first: SnippetText = { title: snippet?.title ?? "", content: snippet?.content ?? "" };
  const { form, set, end } = useBegunForm(`snippet ${snippet?.id ?? ""}`, first);
  const send = async () => {
    await (snippet ? changeSnippet(snippet.id, form) : saveSnippet(form));
    end();
  };
  return (
    <DialogForm action={words.actions.save} send={send}>
      <label class="labelled">
        {laterWords.snippets.title}
        <input
          type="text"
          class="field"
          dir="auto"
          required
          maxLength={lengthsMax.snippetTitle}
          value={form.title}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </label>
      <label class="labelled">
        {laterWords.snippets.text}
        <textarea
          class="field"
          dir="auto"
          required
          rows={6}
          value={form.content}
          onInput={({ currentTarget }) => set({ content: currentTarget.value })}
        />
      </label>
    </DialogForm>
  );
}
