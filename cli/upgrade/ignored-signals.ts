import { printNotice } from "../output";

/**
 * Makes the process ignore Ctrl-C and the end of a session from here on, because otherwise nothing
 * would return to the former version if the new one does not become ready.
 */
export function ignoreSignals() {
  process.on("SIGINT", () =>
    printNotice(
      "Ctrl-C has no effect now, because the service would stop halfway. The command continues to its end.",
    ),
  );
  process.on("SIGHUP", () => undefined);
}
