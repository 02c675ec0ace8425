import { badRequest } from "../src/core/errors";

/**
 * Lets a signal end the work in order: nothing half-done is left behind. The answer throws once
 * there was one.
 */
export function catchSignals(message = "Interrupted. Nothing was changed."): () => void {
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      isStopped = true;
    });
  }
  return () => {
    if (isStopped) throw badRequest(message);
  };
}
