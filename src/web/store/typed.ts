import { signal } from "@preact/signals";
import { me } from "./state";

/*
 * Texts of fields that are typed and not saved: another section, another view or a reload loses
 * none. They are kept for this tab alone. Passwords are never among them.
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

/** The text that was typed into a field; undefined if the field is unchanged. */
export const typedIn = (field: string): string | undefined => typed.value[field];

/** Stores the text of a field; undefined removes it. */
export function keepTyped(field: string, text: string | undefined): void {
  const { [field]: _, ...others } = typed.peek();
  typed.value = text === undefined ? others : { ...others, [field]: text };
  try {
    sessionStorage.setItem(storageKey(), JSON.stringify(typed.peek()));
  } catch {
    // A browser may have no storage. Then texts last as long as the page.
  }
}
