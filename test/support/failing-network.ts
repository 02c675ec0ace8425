import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A network path to a PostgreSQL, on loopback, which a test may interrupt or close. */
export interface FailingNetwork {
  /** The address of the database through this path. */
  url: string;
  /**
   * Forwards nothing any more, in one direction or both, but ends no connection, so that neither
   * side notices.
   */
  cut(what?: "both" | "answers"): void;
  /**
   * The connection that commits a write of this text is ended as soon as PostgreSQL has answered,
   * and before the answer arrives. Commits of other work go through.
   */
  loseCommit(text: string): void;
  /** Forwards again, first the bytes that have arrived meanwhile. */
  mend(): void;
  /** Ends all connections and refuses new ones, like a server that is down. */
  down(): Promise<void>;
  /** Accepts connections again. */
  up(): Promise<void>;
  /** Number of connections so far. */
  taken(): number;
  close(): Promise<void>;
}

/** A refusal like PgBouncer's: severity, code and message, each ended by a zero. */
function refusalOf(parameter: string): Buffer {
  const fields = `SERROR\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`;
  const message = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(fields)]);
  message.writeInt32BE(fields.length + 4, 1);
  return message;
}

/** One direction of a connection; it stops reading while it is cut. */
function forward(from: Socket, to: Socket, isCut: () => boolean) {
  const held: (() => void)[] = [];
  const pass = (step: () => void) => (isCut() || held.length > 0 ? held.push(step) : step());
  from.on("data", (bytes) => pass(() => to.write(bytes)));
  from.on("close", () => pass(() => to.destroy()));
  from.on("error", () => undefined);
  return () => {
    while (!isCut() && held.length > 0) held.shift()?.();
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

function refuseParameter(near: Socket, name: string) {
  near.prependOnceListener("data", (bytes: Buffer) => {
    if (bytes.includes(`${name}\0`)) near.end(refusalOf(name));
  });
}

/** Ends both sides of a connection when the next answer comes, which does not arrive. */
function endAtAnswer(near: Socket, far: Socket) {
  far.removeAllListeners("data");
  far.once("data", () => {
    near.destroy();
    far.destroy();
  });
}

/**
 * `refusedParameter`: a pooler in between refuses sessions that name this parameter at their start.
 */
export async function openFailingNetwork(
  databaseUrl: string,
  refusedParameter?: string,
): Promise<FailingNetwork> {
  const target = new URL(databaseUrl);
  let cut: "both" | "answers" | undefined;
  let textToLose: string | undefined;
  let taken = 0;
  const sockets = new Set<Socket>();
  const releases = new Set<() => void>();
  const server: Server = createServer((near) => {
    taken += 1;
    if (refusedParameter !== undefined) refuseParameter(near, refusedParameter);
    const far = connect(Number(target.port || 5432), target.hostname);
    let hasText = false;
    near.on("data", (bytes: Buffer) => {
      if (textToLose === undefined) return;
      hasText ||= bytes.includes(textToLose);
      if (!hasText || !bytes.includes("COMMIT")) return;
      textToLose = undefined;
      endAtAnswer(near, far);
    });
    const both = [
      forward(near, far, () => cut === "both"),
      forward(far, near, () => cut !== undefined),
    ];
    for (const one of [near, far]) sockets.add(one.once("close", () => sockets.delete(one)));
    for (const release of both) releases.add(release);
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const port = portOf(server);
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` });
  const down = async () => {
    const closed = server.listening ? once(server, "close") : undefined;
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    taken: () => taken,
    cut: (what = "both") => {
      cut = what;
    },
    loseCommit: (text) => {
      textToLose = text;
    },
    mend: () => {
      cut = undefined;
      for (const release of releases) release();
    },
    down,
    up: () => listen(port),
    close: down,
  };
}
