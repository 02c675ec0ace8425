import type { ServiceManagerFacts } from "../src/config/config";
import { systemClock } from "../src/core/clock";
import { describeError, type Log } from "../src/core/log";

/** Messages that systemd expects if it has started the server (sd_notify(3)). */
export interface ServiceManager {
  ready(): void;
  /** Tells that the configuration is being read again, until `reloaded`. */
  reloading(): void;
  reloaded(): void;
  stopping(): void;
}

const nobody: ServiceManager = {
  ready: () => undefined,
  reloading: () => undefined,
  reloaded: () => undefined,
  stopping: () => undefined,
};

/**
 * The service manager that has started the server, or one that does nothing. From `ready` on, it is
 * told twice in each of its watchdog's periods that the event loop runs; it restarts a server that
 * hangs. A message that cannot be sent is logged, and the server continues.
 */
export async function findServiceManager(
  { socket, watchdogMicroseconds }: ServiceManagerFacts,
  log: Pick<Log, "warn">,
): Promise<ServiceManager> {
  if (socket === undefined) return nobody;
  try {
    const { monotonicMicroseconds, sendDatagram } = await import("./datagram");
    const send = (words: string) => {
      if (!sendDatagram(socket, `${words}\n`)) log.warn("service_manager_not_reached", { words });
    };
    let isStopping = false;
    /** A server that stops is never ready again, even if it was reading its configuration. */
    const sendUnlessStopping = (words: string) => isStopping || send(words);
    return {
      ready() {
        send("READY=1");
        if (watchdogMicroseconds !== undefined) keepAlive(send, watchdogMicroseconds / 2_000);
      },
      reloading: () => sendUnlessStopping(`RELOADING=1\nMONOTONIC_USEC=${monotonicMicroseconds()}`),
      reloaded: () => sendUnlessStopping("READY=1"),
      stopping() {
        isStopping = true;
        send("STOPPING=1");
      },
    };
  } catch (error) {
    log.warn("service_manager_not_reached", describeError(error));
    return nobody;
  }
}

function keepAlive(send: (words: string) => void, periodMilliseconds: number) {
  send("WATCHDOG=1");
  systemClock.after(periodMilliseconds, () => keepAlive(send, periodMilliseconds));
}
