import { isatty } from "node:tty";
import { exitCodesOfSignals } from "./output";

/** Signals to a server, as what they mean. */
export interface ServeSignals {
  /** Resolves at the first signal to end. From then on, another one ends the process. */
  stop: Promise<void>;
  /**
   * Names what reads the configuration anew at SIGHUP, and does it at once where such a signal has
   * come before. Signals that come while it is at work make it run once more.
   */
  onReload(run: () => Promise<void>): void;
}

/**
 * Takes the signals of a server. SIGTERM and SIGINT end it. SIGHUP reads the configuration anew,
 * except where the server's terminal is gone, because then nobody could end it any more, and while it
 * ends, because a service manager would take it for a server that is ready again. SIGUSR1 and
 * SIGUSR2 mean nothing here, and would end the process if nothing took them.
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

/** Runs what reads the configuration anew, never twice at a time. */
export class Reloads {
  private run: (() => Promise<void>) | undefined;
  private isAsked = false;
  private isAtWork = false;

  /** Rejects where a run fails; a run that is asked for later goes on nevertheless. */
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
