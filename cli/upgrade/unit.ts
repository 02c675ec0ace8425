import { spawn, spawnSync } from "bun";

const readyMilliseconds = 15 * 60_000;

/** The service of systemd that runs the server. */
export interface Unit {
  name: string;
  isActive(): boolean;
  stop(): Promise<boolean>;
  /** Starts it, or starts it anew; answers whether it is ready (READY=1). */
  restart(): Promise<boolean>;
}

/** The unit of a name; undefined where systemd does not run this machine. */
export function findUnit(name: string): Unit | undefined {
  if (Bun.which("systemctl") === null) return undefined;
  const run = async (word: string) => {
    const child = spawn(["systemctl", word, name], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      timeout: readyMilliseconds,
      // Ctrl-C at the terminal is not for it.
      detached: true,
    });
    return (await child.exited) === 0;
  };
  return {
    name,
    isActive: () => spawnSync(["systemctl", "is-active", "--quiet", name]).exitCode === 0,
    stop: () => run("stop"),
    restart: () => run("restart"),
  };
}
