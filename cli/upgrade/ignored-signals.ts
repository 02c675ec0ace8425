import { printNotice } from "../output";

/**
 * Lets Ctrl-C and the end of a session end nothing from here on, because nobody would return to the
 * version before then, where the new one does not get ready.
 */
export function ignoreSignals() {
  process.on("SIGINT", () =>
    printNotice(
      "Ctrl-C has no effect now, because the service would stop halfway. The command continues to its end.",
    ),
  );
  process.on("SIGHUP", () => undefined);
}
