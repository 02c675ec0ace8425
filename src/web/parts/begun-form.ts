import { keepTyped, typedIn } from "../store/typed";

/*
 * Forms of dialogs that were begun and not sent: neither a closed dialog nor a reload loses anything of
 * them. They are kept as JSON, for this tab alone.
 */

const fieldOf = (name: string): string => `form ${name}`;

/** A form as it was begun; undefined where it was not. */
function formOf<Form>(name: string): Form | undefined {
  const text = typedIn(fieldOf(name));
  if (text === undefined) return undefined;
  const form: Form = JSON.parse(text);
  return form;
}

/** Keeps a form; undefined where there is nothing to keep any more. */
const keepForm = (name: string, form: object | undefined): void =>
  keepTyped(fieldOf(name), form && JSON.stringify(form));

/** Changes a form before its dialog is open. */
export function beginForm<Form extends object>(
  name: string,
  first: Form,
  changes: Partial<Form>,
): void {
  keepForm(name, { ...(formOf<Form>(name) ?? first), ...changes });
}

interface BegunForm<Form> {
  readonly form: Form;
  set(changes: Partial<Form>): void;
  /** Forgets it, because it was sent. */
  end(): void;
}

/** A form as it was begun, or as it is at first. */
export function useBegunForm<Form extends object>(name: string, first: Form): BegunForm<Form> {
  const form = formOf<Form>(name) ?? first;
  return {
    form,
    set: (changes) => keepForm(name, { ...form, ...changes }),
    end: () => keepForm(name, undefined),
  };
}
