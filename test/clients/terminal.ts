import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";

const columns = 150;
const rows = 45;
const lookMilliseconds = 100;
/** Looks at the screen until something is done once more. */
const looksPerAct = 10;
/** Time after which a text must be on the screen, on a busy machine. */
const seeMilliseconds = 30_000;

/** A program in a terminal of a fixed size, driven with tmux: keys go in, the screen is read. */
export class Terminal {
  private readonly tmux: string[];
  private readonly home: string;

  /** Starts the program; tmux has a server of its own, in the folder. */
  constructor(folder: string, program: string[]) {
    const home = join(folder, "terminal");
    mkdirSync(home);
    this.home = home;
    this.tmux = ["tmux", "-S", join(home, "socket"), "-f", "/dev/null"];
    const size = ["-x", String(columns), "-y", String(rows)];
    const command = program.map((word) => `'${word}'`).join(" ");
    this.run(
      "new-session",
      "-d",
      ...size,
      "-c",
      home,
      `env HOME='${home}' ${command} 2> '${home}/stderr'`,
    );
  }

  /** Presses keys by their names in tmux: `Enter`, `C-d`, `+`. */
  press(...keys: string[]) {
    this.run("send-keys", "-t", "0", ...keys);
  }

  type(text: string) {
    this.run("send-keys", "-t", "0", "-l", text);
  }

  screen(): string {
    return this.run("capture-pane", "-t", "0", "-p");
  }

  /** Waits until something is on the screen, or no longer, and answers the screen. */
  async see(expected: RegExp, isThere = true): Promise<string> {
    const deadline = performance.now() + seeMilliseconds;
    for (;;) {
      if (!this.isOpen())
        throw new Error(`the program has ended before ${expected}: ${this.complaints()}`);
      const screen = this.screen();
      if (expected.test(screen) === isThere) return screen;
      if (performance.now() > deadline) {
        throw new Error(
          `${expected} was ${isThere ? "never" : "always"} on the screen:\n${screen}`,
        );
      }
      await Bun.sleep(lookMilliseconds);
    }
  }

  /** Does something again and again until its effect is on the screen, and answers the screen. */
  async seeInTime(expected: RegExp, act: () => Promise<unknown>): Promise<string> {
    const deadline = performance.now() + seeMilliseconds;
    for (let looks = 0; performance.now() < deadline; looks++) {
      if (looks % looksPerAct === 0) await act();
      const screen = this.screen();
      if (expected.test(screen)) return screen;
      await Bun.sleep(lookMilliseconds);
    }
    throw new Error(`${expected} was never on the screen:\n${this.screen()}`);
  }

  /** Waits until the program has ended. */
  async ended(): Promise<void> {
    const deadline = performance.now() + seeMilliseconds;
    while (this.isOpen()) {
      if (performance.now() > deadline) throw new Error(`it goes on:\n${this.screen()}`);
      await Bun.sleep(lookMilliseconds);
    }
  }

  /** Complaints that the program has written beside the screen. */
  complaints(): string {
    const names = readdirSync(this.home).filter(
      (name) => name === "stderr" || name.endsWith(".log"),
    );
    return names.map((name) => readFileSync(join(this.home, name), "utf8")).join("\n");
  }

  /** Whether the program still runs. */
  isOpen = () =>
    spawnSync([...this.tmux, "has-session"], { env: this.environment() }).exitCode === 0;

  /** Ends it, whatever it does. */
  close() {
    spawnSync([...this.tmux, "kill-server"], { env: this.environment() });
  }

  private environment = () => ({
    PATH: process.env.PATH ?? "",
    TERM: "screen-256color",
    LC_ALL: "C.UTF-8",
  });

  private run(...words: string[]): string {
    const { exitCode, stdout, stderr } = spawnSync([...this.tmux, ...words], {
      env: this.environment(),
    });
    if (exitCode !== 0) throw new Error(`tmux ${words[0]} failed: ${stderr}`);
    return stdout.toString();
  }
}
