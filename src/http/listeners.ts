import { systemClock } from "../core/clock";
import { ListenerGroup } from "./listener-group";
import { RequestGate } from "./request-gate";
import type { HttpServer } from "./serve";
import type { SocketPlace } from "./unix-socket";

/** A certificate with its key, in PEM. */
interface TlsCertificate {
  /** Host for which it is served; the first one also serves all other hosts. */
  host: string | undefined;
  /**
   * The certificate, followed by the certificates of the authorities up to one that clients know.
   */
  chain: string;
  key: string;
  /** Whether it is only a placeholder until the real one arrives: clients refuse it. */
  isPlaceholder?: boolean;
}

export interface Tls {
  certificates: readonly TlsCertificate[];
  /** The header `Strict-Transport-Security` of each answer. */
  transportSecurity?: string;
}

/** Where to listen: at a port of an address, or at a Unix socket. */
export interface Place {
  host: string;
  port: number;
  socket?: SocketPlace;
  /** Seconds without data after which a connection is closed, unless it waits for an answer. */
  idleTimeoutSeconds: number;
  /** Time after which a replaced listener is closed, if it is not the usual one. */
  retiredMilliseconds?: number;
}

type ServeOptions =
  | Bun.Serve.HostnamePortServeOptions<undefined>
  | Bun.Serve.UnixServeOptions<undefined>;

interface Listener<Parts> {
  elysia: HttpServer["elysia"];
  server: Bun.Server<unknown>;
  gate: RequestGate<Parts>;
}

type OpenListener<Parts> = (
  options: ServeOptions,
  gate: RequestGate<Parts>,
) => Promise<Listener<Parts>>;

/**
 * Time after which a replaced listener is closed: longer than a long poll is held, and longer than
 * Bun keeps an idle connection. By then most of its connections have had an answer that closed
 * them; an upload may take longer.
 */
const retiredMillisecondsUsual = 90_000;

const usual = {
  development: false,
  // Code that reads a body limits it, and answers in JSON. An unread body is not received.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
};

/**
 * The listeners of a port or a socket. There is one, except while certificates change: then former
 * listeners remain until their connections end. Bun cannot change the certificates of an open
 * listener.
 */
export class Listeners<Parts> {
  private readonly retired = new Set<Listener<Parts>>();
  /** Listeners that take no new connections, until the last request of each is answered. */
  private readonly closing = new Map<Listener<Parts>, Promise<void>>();
  /** All actions that were done to the listeners, to repeat them on later ones. */
  private readonly done: ((listener: Listener<Parts>) => void)[] = [];
  private group: ListenerGroup<Listener<Parts>> | undefined;
  private changes: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  private constructor(
    private current: Listener<Parts>,
    private readonly place: Place,
    private served: Tls | undefined,
    private readonly openListener: OpenListener<Parts>,
  ) {}

  static async open<Parts>(
    place: Place,
    tls: Tls | undefined,
    openListener: OpenListener<Parts>,
  ): Promise<Listeners<Parts>> {
    if (tls && place.port !== 0) requireFreePort(place);
    const gate = new RequestGate<Parts>(tls?.transportSecurity);
    const first = await openListener(optionsOf(place, tls), gate);
    return new Listeners(first, place, tls, openListener);
  }

  /** 0 for a Unix socket. */
  get port(): number {
    return this.place.socket ? 0 : (this.current.server.port ?? this.place.port);
  }

  /** The certificates for new connections; undefined for a port without any. */
  get tls(): Tls | undefined {
    return this.served;
  }

  get elysia() {
    return this.current.elysia;
  }

  /** Does something to each listener, including later ones. */
  each(act: (listener: Listener<Parts>) => void) {
    this.done.push(act);
    for (const listener of this.all()) act(listener);
  }

  /**
   * Serves other certificates to new connections, one change after the other. If it fails, the
   * certificates stay. Answers whether they differ from the former ones.
   */
  changeTls(tls: Tls): Promise<boolean> {
    const changed = this.changes.then(() => this.change(tls));
    this.changes = changed.catch(() => undefined);
    return changed;
  }

  async stop(breaksOff: boolean): Promise<void> {
    this.isStopped = true;
    await this.changes;
    await Promise.all(
      this.all().map((listener) => {
        if (breaksOff) return listener.server.stop(true);
        return this.closing.get(listener) ?? listener.gate.close(listener.server);
      }),
    );
  }

  private all(): Listener<Parts>[] {
    return [this.current, ...this.retired];
  }

  private async change(tls: Tls): Promise<boolean> {
    if (this.isStopped || Bun.deepEquals(tls, this.served)) return false;
    const former = this.current;
    this.group ??= new ListenerGroup(former);
    const options = optionsOf({ ...this.place, port: this.port }, tls);
    const open = () => this.openListener(options, new RequestGate<Parts>(tls.transportSecurity));
    const next = await this.group.open(open);
    for (const act of this.done) act(next);
    this.current = next;
    this.served = tls;
    this.retired.add(former);
    former.gate.retire();
    const isSteered = this.group.giveAllTo(next);
    const { retiredMilliseconds = retiredMillisecondsUsual } = this.place;
    systemClock.after(isSteered ? retiredMilliseconds : 0, () => this.close(former));
    return true;
  }

  private close(listener: Listener<Parts>) {
    if (this.isStopped) return;
    const closed = listener.server.stop(false).finally(() => {
      this.retired.delete(listener);
      this.closing.delete(listener);
    });
    this.closing.set(listener, closed);
    this.group?.closed(listener);
    this.group?.giveAllTo(this.current);
  }
}

function optionsOf(place: Place, tls: Tls | undefined): ServeOptions {
  const { host: hostname, port, socket, idleTimeoutSeconds: idleTimeout } = place;
  if (socket) return { ...usual, unix: socket.path };
  const at = { ...usual, hostname, port, idleTimeout, reusePort: tls !== undefined };
  if (!tls) return at;
  const certificates = tls.certificates.map(({ host: serverName, chain: cert, key }) => ({
    cert,
    key,
    ...(serverName !== undefined && { serverName }),
  }));
  return { ...at, tls: certificates };
}

/**
 * Refuses a port that is in use. Without this check, a listener that allows a second listener would
 * silently share the port with another server of this account.
 */
function requireFreePort({ host, port }: Place) {
  Bun.listen({ hostname: host, port, socket: { data: () => undefined } }).stop(true);
}
