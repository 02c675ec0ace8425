import { keepTyped, typedIn } from "../store/typed";

/*
 * Forms of dialogs that were begun and not sent: neither a closed dialog nor a reload loses anything of
 * them. Their changed values are kept as JSON, for this tab alone; the others follow the state, which
 * may change before the dialog is opened again.
 */

const fieldOf = (name: string): string => `form ${name}`;

/** The changed values of a form. `null` in the JSON stands for undefined. */
function changesOf<Form>(name: string): Partial<Form> {
  const kept: Readonly<Record<string, unknown>> = JSON.parse(typedIn(fieldOf(name)) ?? "{}");
  const unset = Object.keys(kept).filter((key) => kept[key] === null);
  return Object.assign({}, kept, ...unset.map((key) => ({ [key]: undefined })));
}

/** Keeps the values of a form that differ from its first ones. */
function keepForm(name: string, form: object, first: object): void {
  const before = new Map(Object.entries(first));
  const changed = Object.entries(form).filter(
    ([key, value]) => json(value) !== json(before.get(key)),
  );
  keepTyped(fieldOf(name), changed.length === 0 ? undefined : json(Object.fromEntries(changed)));
}

const json = (value: unknown): string => JSON.stringify(value, (_, part) => part ?? null);

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
