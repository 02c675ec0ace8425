import { Interrupted, writeError } from "./output";

/** Signals that end a command, with the exit codes by which shells know them. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const undoings = new Set<() => void>();
let isListening = false;
let endsInOrder = false;
let isStopped = false;

/**
 * Lets a signal end the work in order: nothing half-done is left behind. The answer throws once
 * there was one. A second signal ends the command at once, because the work may wait for something.
 */
export function catchSignals(message = "Interrupted. Nothing was changed."): () => void {
  endsInOrder = true;
  listen();
  return () => {
    if (isStopped) throw new Interrupted(message);
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
  for (const [signal, code] of Object.entries(exitCodes)) process.on(signal, () => stop(code));
}

function stop(code: number) {
  if (endsInOrder && !isStopped) {
    isStopped = true;
    return;
  }
  for (const undo of undoings) undo();
  writeError("chatd: Interrupted.");
  process.exit(code);
}
