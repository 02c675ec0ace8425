import { signal } from "@preact/signals";
import { me } from "./state";

/*
 * Texts of fields that are typed and not saved: another section, another view or a reload loses none.
 * They are kept for this tab alone. Passwords are never among them.
 */

const storageKey = () => `chatd typed ${me.peek()}`;

const typed = signal<Readonly<Record<string, string>>>(stored());

function stored(): Record<string, string> {
  try {
    const kept: Record<string, string> = JSON.parse(sessionStorage.getItem(storageKey()) ?? "{}");
    return kept;
  } catch {
    return {};
  }
}

/** Text that was typed into a field; undefined where it is as it was saved. */
export const typedIn = (field: string): string | undefined => typed.value[field];

/** Keeps the text of a field; undefined where there is nothing to keep any more. */
export function keepTyped(field: string, text: string | undefined): void {
  const { [field]: _, ...others } = typed.peek();
  typed.value = text === undefined ? others : { ...others, [field]: text };
  try {
    sessionStorage.setItem(storageKey(), JSON.stringify(typed.peek()));
  } catch {
    // A browser may have no storage: then texts last as long as the page.
  }
}
