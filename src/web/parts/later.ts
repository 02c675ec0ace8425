import { notify } from "../store/notices";
import { words } from "../words/words";

/** Loads a part of the page that is rarely used, then goes on with it; tells where it is gone. */
export function later<Part>(load: () => Promise<Part>, run: (part: Part) => void): void {
  load().then(run, () => notify(words.actions.partIsGone));
}
