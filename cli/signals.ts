import { exitCodesOfSignals, Interrupted, writeError } from "./output";

const undoings = new Set<() => void>();
let isListening = false;
let endsInOrder = false;
/** The exit code of the first signal. */
let stoppedWith: number | undefined;

/**
 * Lets a signal end the work in order: nothing half-done is left behind. The answer throws once
 * there was one. A second signal ends the command at once, because the work may wait for something.
 */
export function catchSignals(message = "Interrupted. Nothing was changed."): () => void {
  endsInOrder = true;
  listen();
  return () => {
    if (stoppedWith !== undefined) throw new Interrupted(message, stoppedWith);
  };
}

/**
 * Lets a signal that ends the command undo something first: a terminal that does not show what is
 * typed, a file that is not written yet. The answer ends that.
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
