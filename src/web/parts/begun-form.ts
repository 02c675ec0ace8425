import { keepTyped, typedIn } from "../store/typed";

/*
 * Forms of dialogs that were begun and not sent: neither a closed dialog nor a reload loses
 * anything of them. Their changed values are kept as JSON, for this tab alone; the others follow
 * the state, which may change before the dialog is opened again.
 */

const fieldOf = (name: string): string => `form ${name}`;

/** The kept values of a form: the changed ones, and the names of those that were unset. */
interface Kept<Form> {
  readonly changed?: Partial<Form>;
  readonly unset?: readonly (keyof Form & string)[];
}

/** The changed values of a form. */
function changesOf<Form extends object>(name: string): Partial<Form> {
  const { changed = {}, unset = [] }: Kept<Form> = JSON.parse(typedIn(fieldOf(name)) ?? "{}");
  return Object.assign({}, changed, ...unset.map((key) => ({ [key]: undefined })));
}

/** Keeps the values of a form that differ from its first ones. */
function keepForm<Form extends object>(name: string, form: Form, first: Form): void {
  const before = new Map<string, unknown>(Object.entries(first));
  const entries = Object.entries(form).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key)),
  );
  // JSON has no undefined, and null is a value of some forms.
  const unset = entries.filter(([, value]) => value === undefined).map(([key]) => key);
  const kept = { changed: Object.fromEntries(entries), unset };
  keepTyped(fieldOf(name), entries.length === 0 ? undefined : JSON.stringify(kept));
}

/** Changes the values of a form before its dialog opens. */
export function beginForm<Form extends object>(
  name: string,
  first: Form,
  changes: Partial<Form>,
): void {
  keepForm(name, { ...first, ...changesOf<Form>(name), ...changes }, first);
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

/** The values of a form: the given ones, with the changed ones that were kept. */
export function useBegunForm<Form extends object>(name: string, first: Form): BegunForm<Form> {
  const form = { ...first, ...changesOf<Form>(name) };
  const sent = typedIn(fieldOf(name));
  return {
    form,
    set: (changes) => keepForm(name, { ...form, ...changes }, first),
    end: () => {
      if (typedIn(fieldOf(name)) === sent) keepTyped(fieldOf(name), undefined);
    },
  };
}
