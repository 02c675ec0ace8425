import { exitCodesOfSignals, Interrupted, writeError } from "./output";

const undoings = new Set<() => void>();
let isListening = false;
let endsInOrder = false;
/** The exit code of the first signal. */
let stoppedWith: number | undefined;

/**
 * Makes a signal stop the work in order, so that nothing is left half-done. The returned function
 * throws after a signal. A second signal ends the command at once, because the work may be waiting
 * for something.
 */
export function catchSignals(message = "Interrupted. Nothing was changed."): () => void {
  endsInOrder = true;
  listen();
  return () => {
    if (stoppedWith !== undefined) throw new Interrupted(message, stoppedWith);
  };
}

/**
 * Makes a signal that ends the command undo something first, such as hidden input at a terminal or
 * an unfinished file. The returned function ends this.
 */
export function undoAtSignal(undo: () => void): () => void {
  undoings.add(undo);
  listen();
  return () => void undoings.delete(undo);
}

function listen() {
  if (isListening) return;
  isListening = true;
  for (const [signal, code] of Object.entries(exitCodesOfSignals))
    process.on(signal, () => stop(code));
}

function stop(code: number) {
  if (endsInOrder && stoppedWith === undefined) {
    stoppedWith = code;
    return;
  }
  for (const undo of undoings) undo();
  writeError("chatd: Interrupted.");
  process.exit(code);
}
