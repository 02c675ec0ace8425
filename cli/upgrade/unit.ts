import { spawn, spawnSync } from "bun";
import { printNotice } from "../output";

const usualMilliseconds = 15 * 60_000;

/** The systemd service that runs the server. */
export interface Unit {
  name: string;
  isActive(): boolean;
  stop(): Promise<boolean>;
  /**
   * Starts or restarts it; answers whether it is ready (READY=1). A migration may take long, so
   * this waits until systemd answers, and reports from time to time.
   */
  restart(): Promise<boolean>;
}

/** The unit with a name; undefined if systemd does not run this machine. */
export function findUnit(name: string, patienceMilliseconds = usualMilliseconds): Unit | undefined {
  if (Bun.which("systemctl") === null) return undefined;
  const run = (word: string, timeout?: number) =>
    spawn(["systemctl", word, name], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ...(timeout === undefined ? {} : { timeout }),
      // Ctrl-C at the terminal must not reach it.
      detached: true,
    }).exited;
  return {
    name,
    isActive: () => spawnSync(["systemctl", "is-active", "--quiet", name]).exitCode === 0,
    stop: async () => (await run("stop", patienceMilliseconds)) === 0,
    async restart() {
      const telling = setInterval(
        () =>
          printNotice(
            `${name} is still starting; a migration of the data may take long: see journalctl -u ${name}. To give up: systemctl stop ${name}`,
          ),
        patienceMilliseconds,
      );
      try {
        return (await run("restart")) === 0;
      } finally {
        clearInterval(telling);
      }
    },
  };
}
