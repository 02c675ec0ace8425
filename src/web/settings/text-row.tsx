import { useId } from "preact/hooks";
import { save, untilTold } from "../store/saving";
import { keepTyped, typedIn } from "../store/typed";
import { words } from "../words/words";
import { SavingNote } from "./saving-note";

interface TextProps {
  /** The name of the control, under which the typed text is kept. */
  control: string;
  label: string;
  help?: string | undefined;
  /** The text on the server. */
  saved(): string;
  send(text: string): Promise<unknown>;
  type?: "text" | "url" | "date";
  lengthMax?: number;
  isLong?: boolean;
  isDisabled?: boolean;
}

/**
 * A row with a text. The typed text is kept until it is saved, so that no key and no change of the
 * view loses it, and no incomplete text is saved.
 */
export function TextRow(props: TextProps) {
  const { control, label, help, saved, isLong = false, isDisabled = false } = props;
  const id = useId();
  const typed = typedIn(control);
  const hasChanged = typed !== undefined && typed !== saved();
  const shared = {
    id,
    class: "field",
    dir: "auto",
    disabled: isDisabled,
    maxLength: props.lengthMax,
    value: typed ?? saved(),
    "aria-describedby": help === undefined ? undefined : `${id}-help`,
  } as const;
  const type = ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
    keepTyped(control, value === saved() && !sending.has(control) ? undefined : value);
  return (
    <form class="setting" onSubmit={(event) => void submit(event, props)}>
      <label for={id}>{label}</label>
      <SavingNote control={control} />
      {isLong ? (
        <textarea {...shared} rows={3} onInput={type} />
      ) : props.type === "date" ? (
        <input {...shared} type="date" onInput={type} />
      ) : props.type === "url" ? (
        <input {...shared} type="url" onInput={type} />
      ) : (
        <input {...shared} type="text" onInput={type} />
      )}
      {hasChanged && (
        <div class="choices">
          <button
            type="submit"
            class="button primary"
            aria-label={`${words.actions.save}: ${label}`}
          >
            {words.actions.save}
          </button>
          <button type="button" class="button" onClick={() => keepTyped(control, undefined)}>
            {words.actions.cancel}
          </button>
        </div>
      )}
      {help !== undefined && (
        <p class="quiet" id={`${id}-help`}>
          {help}
        </p>
      )}
    </form>
  );
}

/** Controls whose text is being saved, so that the present text is about to be replaced. */
const sending = new Set<string>();

async function submit(event: Event, { control, saved, send }: TextProps): Promise<void> {
  event.preventDefault();
  const text = typedIn(control);
  if (text === undefined || text === saved()) return;
  const before = saved();
  sending.add(control);
  const isSaved = await save(control, () => send(text));
  // Until the event arrives, the field shows the typed text, not the earlier one.
  if (isSaved) await untilTold(() => saved() !== before);
  sending.delete(control);
  if (isSaved && typedIn(control) === text) keepTyped(control, undefined);
}
