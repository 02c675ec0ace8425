import { post, remove } from "../net/api";
import { Icon } from "../parts/icon";
import { save } from "../store/saving";
import { alertWords } from "../store/state";
import { keepTyped, typedIn } from "../store/typed";
import { settingsWords } from "../words/settings";
import { MoreList } from "./more-list";
import { SavingNote } from "./saving-note";

const { alerts } = settingsWords;
const control = "alert word";
const wordLengthMax = 100;

/** The person's alert words. */
export function AlertWords() {
  const list = [...alertWords.value].toSorted((one, other) => one.localeCompare(other));
  const typed = typedIn(control) ?? "";
  const add = async (event: Event) => {
    event.preventDefault();
    const word = typed.trim();
    if (word === "") return;
    const isAdded = await save(control, () =>
      post("/users/me/alert_words", { alert_words: [word] }),
    );
    if (isAdded && typedIn(control)?.trim() === word) keepTyped(control, undefined);
  };
  return (
    <>
      <p class="quiet">{alerts.help}</p>
      <form class="setting" onSubmit={(event) => void add(event)}>
        <label for="alert-word">{alerts.word}</label>
        <SavingNote control={control} />
        <div class="choices">
          <input
            id="alert-word"
            type="text"
            class="field"
            dir="auto"
            maxLength={wordLengthMax}
            value={typed}
            onInput={({ currentTarget }) => keepTyped(control, currentTarget.value)}
          />
          <button type="submit" class="button">
            {alerts.add}
          </button>
        </div>
      </form>
      {list.length === 0 && <p class="quiet">{alerts.none}</p>}
      <MoreList rows={list} draw={(word) => <Word key={word} word={word} />} />
    </>
  );
}

function Word({ word }: { word: string }) {
  const label = alerts.remove(word);
  const drop = () => save(control, () => remove("/users/me/alert_words", { alert_words: [word] }));
  return (
    <li>
      <span class="name" dir="auto">
        {word}
      </span>
      <button
        type="button"
        class="tool"
        title={label}
        aria-label={label}
        onClick={() => void drop()}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
