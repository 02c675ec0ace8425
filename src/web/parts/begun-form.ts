import { keepTyped, typedIn } from "../store/typed";

/*
 * Forms of dialogs that were begun and not sent: neither a closed dialog nor a reload loses anything of
 * them. They are kept as JSON, for this tab alone.
 */

const fieldOf = (name: string): string => `form ${name}`;

/** The kept values of a form; undefined if there are none. */
function formOf<Form>(name: string): Form | undefined {
  const text = typedIn(fieldOf(name));
  if (text === undefined) return undefined;
  const form: Form = JSON.parse(text);
  return form;
}

/** Keeps the values of a form; undefined removes them. */
const keepForm = (name: string, form: object | undefined): void =>
  keepTyped(fieldOf(name), form && JSON.stringify(form));

/** Changes the values of a form before its dialog opens. */
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
  /**
   * Removes the kept values, because the form was sent with them. Values that were entered since
   * stay.
   */
  end(): void;
}

/** The values of a form: the kept ones, or the given ones if none were kept. */
export function useBegunForm<Form extends object>(name: string, first: Form): BegunForm<Form> {
  const form = formOf<Form>(name) ?? first;
  const sent = typedIn(fieldOf(name));
  return {
    form,
    set: (changes) => keepForm(name, { ...form, ...changes }),
    end: () => {
      if (typedIn(fieldOf(name)) === sent) keepForm(name, undefined);
    },
  };
}
