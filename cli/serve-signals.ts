import { isatty } from "node:tty";
import { exitCodesOfSignals } from "./output";

/** Signals to a server by their meaning. */
export interface ServeSignals {
  /** Resolves at the first stop signal. From then on, another one ends the process. */
  stop: Promise<void>;
  /**
   * Sets the function that reads the configuration again at SIGHUP, and runs it at once if such a
   * signal has come before. Signals during a run cause one more run.
   */
  onReload(run: () => Promise<void>): void;
}

/**
 * Handles the signals of a server. SIGTERM and SIGINT stop it. SIGHUP reads the configuration
 * again, with two exceptions: if the server's terminal is gone, because then nobody could stop it
 * any more, and while it stops, because a service manager would take it for a server that is ready
 * again. SIGUSR1 and SIGUSR2 do nothing here, but would end the process if nothing handled them.
 */
export function catchServeSignals(): ServeSignals {
  const { promise: stop, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  const end = (signal: keyof typeof exitCodesOfSignals) => {
    if (isStopping) process.exit(exitCodesOfSignals[signal]);
    isStopping = true;
    resolve();
  };
  const reloads = new Reloads();
  const terminals = [0, 1, 2].filter(isatty);
  const isHungUp = () => terminals.length > 0 && !terminals.some(isatty);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => end(signal));
  process.on("SIGHUP", () => {
    if (isHungUp()) end("SIGHUP");
    else if (!isStopping) void reloads.ask();
  });
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => undefined);
  return { stop, onReload: (run) => void reloads.begin(run) };
}

/** Runs the function that reads the configuration again, never twice at a time. */
export class Reloads {
  private run: (() => Promise<void>) | undefined;
  private isAsked = false;
  private isAtWork = false;

  /** Rejects if a run fails; a run that is requested later starts nevertheless. */
  ask(): Promise<void> {
    this.isAsked = true;
    return this.goOn();
  }

  begin(run: () => Promise<void>): Promise<void> {
    this.run = run;
    return this.goOn();
  }

  private async goOn() {
    if (!this.run || this.isAtWork) return;
    this.isAtWork = true;
    try {
      while (this.isAsked) {
        this.isAsked = false;
        await this.run();
      }
    } finally {
      this.isAtWork = false;
    }
  }
}
