import { loadPart } from "../net/build";
import { notify } from "../store/notices";
import { words } from "../words/words";

type Parts = typeof import("../rare/parts");

let load: (() => Promise<Parts>) | undefined;

/** States how the parts of the page are loaded that are rarely used. */
export function haveRareParts(loader: () => Promise<Parts>): void {
  load = loader;
}

/** Loads the parts of the page that are rarely used, then goes on with them, or without them. */
export function withRareParts(run: (parts: Parts) => void, goOnWithout?: () => void): void {
  const tell = () => {
    notify(words.actions.partIsGone);
    goOnWithout?.();
  };
  if (load) loadPart(load).then(run, tell);
}
