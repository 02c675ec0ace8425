import { createHash } from "node:crypto";
import type { Clock } from "../core/clock";
import { isoTime } from "../core/clock";
import { messageOf } from "../core/error-code";
import { describeError, type Log, tellFailure } from "../core/log";
import type { CertificateStore, Failures, Issued, StoredCertificate } from "./certificate-store";

/** A failed attempt, with the authority's information about the next one. */
export class IssueError extends Error {
  constructor(
    message: string,
    /** Whether the authority has answered: only then it counts the attempt. */
    readonly isAnswered: boolean,
    /** Seconds that the authority asks to wait. */
    readonly waitSeconds = 0,
  ) {
    super(message);
  }
}

interface KeeperParts {
  hosts: readonly string[];
  store: CertificateStore;
  clock: Clock;
  log: Log;
  /** Gets a new certificate for a host. Throws an `IssueError` if the authority issues none. */
  issue(host: string): Promise<Issued>;
  /** Serves the current certificates; called again soon if it fails. */
  changed(): Promise<unknown>;
}

const hourSeconds = 3_600;
/**
 * Seconds before certificates are served again that could not be served, for example because too
 * many files were open.
 */
const unservedPauseSeconds = 120;
/** Share of a certificate's life after which it is renewed, and the difference between servers. */
const renewalShare = 2 / 3;
const spreadShare = 0.04;
/** Longest pause that an authority may ask for. A later time comes from a wrong clock. */
const pauseSecondsMax = 7 * 24 * hourSeconds;
/**
 * Pauses after failed attempts, in seconds. Let's Encrypt allows five failures per hour and host.
 */
const pausesSeconds: readonly number[] = [120, 600, 1_800, 3_600, 7_200, 21_600];
/**
 * Pause after a useless certificate, because it counts at the authority like any other: Let's
 * Encrypt issues five per week and host, one more every 34 hours.
 */
const uselessPauseSeconds = 36 * hourSeconds;
/**
 * Longest pause while the authority cannot be reached, because such attempts do not count there.
 */
const unreachedPauseSecondsMax = 600;

/**
 * Keeps a certificate for each host: gets a missing one, and renews it after two thirds of its
 * life. The existing certificate is served as long as it is valid, whatever fails.
 */
export class CertificateKeeper {
  private readonly timers = new Map<string, () => void>();
  private readonly failures: Map<string, Failures>;
  /**
   * Times of the last certificates, in UNIX seconds, because no second one is requested within an
   * hour.
   */
  private readonly gotAt = new Map<string, number>();
  private line: Promise<unknown> = Promise.resolve();
  private isServed = true;
  private isStopped = false;

  constructor(private readonly parts: KeeperParts) {
    const { hosts, store } = parts;
    this.failures = new Map(hosts.map((host) => [host, store.failures(host)]));
  }

  start() {
    for (const host of this.parts.hosts) this.planNext(host);
  }

  stop() {
    this.isStopped = true;
    for (const cancel of this.timers.values()) cancel();
  }

  /** Tries at once all hosts that wait after a failed attempt. */
  tryAgain() {
    for (const host of this.parts.hosts) {
      this.failures.set(host, { ...this.failuresOf(host), waitUntil: 0 });
      this.planNext(host);
    }
  }

  /** The hosts without a certificate that clients accept. */
  missing(): string[] {
    const { hosts, store, clock } = this.parts;
    return hosts.filter((host) => (store.certificate(host)?.to ?? 0) <= clock.now());
  }

  /** Checks again after an hour at the latest, because a machine may sleep or set its clock. */
  private planNext(host: string) {
    if (this.isStopped) return;
    const { clock } = this.parts;
    const seconds = this.dueAt(host) - clock.now();
    const wait = Math.min(Math.max(seconds, 0), this.isServed ? hourSeconds : unservedPauseSeconds);
    const next = () => (this.isServed && wait < seconds ? this.planNext(host) : this.askFor(host));
    this.timers.get(host)?.();
    this.timers.set(host, clock.after(wait * 1_000, next));
  }

  /** Time of the next request to the authority for a host, in UNIX seconds. */
  private dueAt(host: string): number {
    const { store, clock } = this.parts;
    const stored = store.certificate(host);
    const gotAt = this.gotAt.get(host) ?? 0;
    // A later time comes from a wrong clock.
    const rested = gotAt <= clock.now() ? gotAt + hourSeconds : 0;
    return Math.max(stored ? renewalTime(stored) : 0, this.failuresOf(host).waitUntil, rested);
  }

  /**
   * Requests certificates one host after the other, so that an authority does not get many requests
   * at once.
   */
  private askFor(host: string) {
    this.line = this.line
      .then(() => this.attempt(host))
      .catch((error: unknown) => this.parts.log.error("certificate_failed", describeError(error)))
      .then(() => this.planNext(host));
  }

  private async attempt(host: string) {
    const { store, clock, log, issue } = this.parts;
    if (!this.isServed) await this.serve();
    // It may have waited behind another attempt for this host that has succeeded.
    if (this.isStopped || this.dueAt(host) > clock.now()) return;
    try {
      // Fails before the authority is asked, because a certificate that could not be stored would
      // count there.
      store.saveFailures(host, this.failuresOf(host));
      const issued = await issue(host);
      this.gotAt.set(host, clock.now());
      if (!store.saveCertificate(host, issued))
        throw useless("The certificate that the authority has issued cannot be read.");
    } catch (error) {
      return this.noteFailure(host, error);
    }
    const got = store.certificate(host);
    log.info("certificate_got", { host, until: isoTime(got?.to ?? clock.now()) });
    const why = whyDueAtOnce(got, clock.now());
    if (why === undefined) this.failures.delete(host);
    else this.noteFailure(host, useless(why));
    await this.serve();
  }

  private async serve() {
    const { log, changed } = this.parts;
    if (this.isStopped) return;
    try {
      await changed();
      this.isServed = true;
    } catch (error) {
      this.isServed = false;
      tellFailure(log.error, "certificate_not_served", error);
    }
  }

  private failuresOf(host: string): Failures {
    const failures = this.failures.get(host) ?? { count: 0, waitUntil: 0 };
    const isBelievable = failures.waitUntil <= this.parts.clock.now() + pauseSecondsMax;
    return isBelievable ? failures : { ...failures, waitUntil: 0 };
  }

  private noteFailure(host: string, error: unknown) {
    const { store, clock, log } = this.parts;
    const count = this.failuresOf(host).count + 1;
    const waitUntil = clock.now() + pauseAfter(count, error);
    this.failures.set(host, { count, waitUntil });
    try {
      store.saveFailures(host, { count, waitUntil });
    } catch (failure) {
      log.warn("certificate_pause_not_saved", describeError(failure));
    }
    const stored = store.certificate(host);
    const isServed = stored !== undefined && stored.to > clock.now();
    log[isServed ? "warn" : "error"]("certificate_not_got", {
      host,
      what: messageOf(error),
      served: isServed
        ? `the certificate until ${isoTime(stored.to)}`
        : "none: clients are refused",
      next_try: isoTime(waitUntil),
      try_now: "systemctl reload chatd",
    });
  }
}

const useless = (why: string) => new IssueError(why, true, uselessPauseSeconds);

/**
 * Reason why a new certificate would have to be renewed at once; undefined if it lasts for some
 * time.
 */
function whyDueAtOnce(got: StoredCertificate | undefined, now: number): string | undefined {
  if (!got || renewalTime(got) > now + hourSeconds) return undefined;
  return `The new certificate is valid from ${isoTime(got.from)} to ${isoTime(got.to)}, and this machine's clock says ${isoTime(now)}, so that it would have to be renewed at once. Check the clock: timedatectl`;
}

function pauseAfter(count: number, error: unknown): number {
  const pause = pausesSeconds[Math.min(count, pausesSeconds.length) - 1] ?? hourSeconds;
  if (!(error instanceof IssueError)) return pause;
  if (!error.isAnswered) return Math.min(pause, unreachedPauseSecondsMax);
  return Math.min(Math.max(pause, error.waitSeconds), pauseSecondsMax);
}

/**
 * Time of a certificate's renewal. It differs between servers, so that certificates of one hour are
 * not all renewed in one hour. For one certificate it never changes.
 */
export function renewalTime({ chain, from, to }: StoredCertificate): number {
  const digest = createHash("sha256").update(chain).digest();
  const spread = (digest.readUInt16BE(0) / 65_536 - 0.5) * spreadShare;
  return Math.round(from + (to - from) * (renewalShare + spread));
}
