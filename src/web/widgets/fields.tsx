import { useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icon";
import { notify } from "../store/notices";
import { widgetWords } from "../words/widgets";
import { begun } from "./act";

/** A text that somebody is writing. It outlives its field. */
function useBegun(key: string, first = "") {
  const [text, setText] = useState(begun.get(key) ?? first);
  const set = (next: string) => {
    if (next === first) begun.delete(key);
    else begun.set(key, next);
    setText(next);
  };
  /** The present text, which may have changed during a wait. */
  const current = () => begun.get(key) ?? first;
  return [text, set, current] as const;
}

/** A refused text, before the text that was written since. */
const before = (refused: string, since: string): string => `${refused} ${since}`.trim();

interface AddFormProps {
  /** Identifies the form. */
  id: string;
  label: string;
  /** Label of a second field, if there is one. */
  more?: string;
  /**
   * Adds the written text. Returns whether that succeeded; undefined if the list already has it.
   */
  add(text: string, more: string): Promise<boolean> | undefined;
}

/** A form that adds something. */
export function AddForm({ id, label, more, add }: AddFormProps) {
  const [text, setText, textNow] = useBegun(id);
  const [second, setSecond, secondNow] = useBegun(`${id} more`);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    const adding = add(text, second);
    if (!adding) return notify(widgetWords.isThere);
    // The next one can be written at once, however long the server takes.
    setText("");
    setSecond("");
    field.current?.focus({ preventScroll: true });
    if (await adding) return;
    setText(before(text, textNow()));
    setSecond(before(second, secondNow()));
  };
  return (
    <form class="add" onSubmit={submit}>
      <Field ref={field} label={label} value={text} set={setText} />
      {more !== undefined && text !== "" && <Field label={more} value={second} set={setSecond} />}
      <button type="submit" class="chip">
        {widgetWords.add}
      </button>
    </form>
  );
}

interface FieldProps {
  label: string;
  value: string;
  set: (text: string) => void;
  ref?: { current: HTMLInputElement | null };
}

const Field = ({ label, value, set, ref }: FieldProps) => (
  <input
    ref={ref}
    type="text"
    class="field"
    dir="auto"
    aria-label={label}
    placeholder={label}
    autocomplete="off"
    value={value}
    onInput={({ currentTarget }) => set(currentTarget.value)}
  />
);

interface TitleProps {
  id: string;
  text: string;
  /** Shown instead of an empty text. */
  fallback: string;
  /**
   * Labels of the field and of the button that opens it; undefined if the person may not change it.
   */
  change: { readonly label: string; readonly open: string } | undefined;
  save(text: string): Promise<boolean>;
}

/** The question of a poll or the title of a list. Its author may change it. */
export function Title({ id, text, fallback, change, save }: TitleProps) {
  const [isOpen, setOpen] = useState(begun.has(id));
  const [written, setWritten, writtenNow] = useBegun(id, text);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (written.trim() !== text && !(await save(written.trim()))) return;
    // If the author has written on meanwhile, that text is not saved yet.
    if (writtenNow() !== written) return;
    begun.delete(id);
    setOpen(false);
  };
  if (isOpen && change)
    return (
      <form class="add" onSubmit={submit}>
        <Field label={change.label} value={written} set={setWritten} />
        <button type="submit" class="chip">
          {widgetWords.save}
        </button>
      </form>
    );
  return (
    <p class="title">
      <b dir="auto">{text || fallback}</b>
      {change && (
        <button
          type="button"
          class="tool"
          title={change.open}
          aria-label={change.open}
          onClick={() => {
            setWritten(text);
            setOpen(true);
          }}
        >
          <Icon name="draft" />
        </button>
      )}
    </p>
  );
}
