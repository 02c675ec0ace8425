import { lengthsMax } from "../../protocol/limits";
import { post, remove } from "../net/api";
import { Icon } from "../parts/icon";
import { save } from "../store/saving";
import { alertWords } from "../store/state";
import { keepTyped, typedIn } from "../store/typed";
import { settingsWords } from "../words/settings";
import { MoreList } from "./more-list";
import { SavingNotes, useChanged } from "./saving-note";

const { alerts } = settingsWords;
const field = "alert word";
/** The control of one word, because of changes of one control those in between are left out. */
const controlOf = (word: string): string => `${field} ${word}`;

/** The person's alert words. */
export function AlertWords() {
  const list = [...alertWords.value].toSorted((one, other) => one.localeCompare(other));
  const typed = typedIn(field) ?? "";
  const [changed, noteChanged] = useChanged<string>();
  const change = (word: string, send: () => Promise<unknown>) => {
    noteChanged(word);
    return save(controlOf(word), send);
  };
  const add = async (event: Event) => {
    event.preventDefault();
    const word = typed.trim();
    if (word === "") return;
    const isAdded = await change(word, () =>
      post("/users/me/alert_words", { alert_words: [word] }),
    );
    if (isAdded && typedIn(field)?.trim() === word) keepTyped(field, undefined);
  };
  const drop = (word: string) =>
    change(word, () => remove("/users/me/alert_words", { alert_words: [word] }));
  return (
    <>
      <p class="quiet">{alerts.help}</p>
      <form class="setting" onSubmit={(event) => void add(event)}>
        <label for="alert-word">{alerts.word}</label>
        <SavingNotes changes={changed.map((name) => ({ name, control: controlOf(name) }))} />
        <div class="choices">
          <input
            id="alert-word"
            type="text"
            class="field"
            dir="auto"
            maxLength={lengthsMax.alertWord}
            value={typed}
            onInput={({ currentTarget }) => keepTyped(field, currentTarget.value)}
          />
          <button type="submit" class="button">
            {alerts.add}
          </button>
        </div>
      </form>
      {list.length === 0 && <p class="quiet">{alerts.none}</p>}
      <MoreList
        rows={list}
        draw={(word) => <Word key={word} word={word} drop={() => void drop(word)} />}
      />
    </>
  );
}

function Word({ word, drop }: { word: string; drop: () => void }) {
  const label = alerts.remove(word);
  return (
    <li>
      <span class="name" dir="auto">
        {word}
      </span>
      <button type="button" class="tool" title={label} aria-label={label} onClick={drop}>
        <Icon name="close" />
      </button>
    </li>
  );
}
