import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A network path to a PostgreSQL, on loopback, which a test may interrupt or close. */
export interface FailingNetwork {
  /** The address of the database through this path. */
  url: string;
  /** Forwards nothing any more, but ends no connection, so that neither side notices. */
  cut(): void;
  /** Cuts in the middle of the next statement that contains this text, before the text. */
  cutBefore(text: string): void;
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

/** State of a path, with texts of the statements that it does not let through. */
interface State {
  isCut: boolean;
  textToCutAt: string | undefined;
  textToLose: string | undefined;
}

/** See `cutBefore` and `loseCommit`. */
function spoilStatements(near: Socket, far: Socket, state: State) {
  let hasText = false;
  near.on("data", (bytes: Buffer) => {
    if (state.textToCutAt !== undefined && bytes.includes(state.textToCutAt)) {
      far.write(bytes.subarray(0, bytes.indexOf(state.textToCutAt)));
      state.textToCutAt = undefined;
      state.isCut = true;
    }
    if (state.textToLose === undefined) return;
    hasText ||= bytes.includes(state.textToLose);
    if (!hasText || !bytes.includes("COMMIT")) return;
    state.textToLose = undefined;
    endAtAnswer(near, far);
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
  const state: State = { isCut: false, textToCutAt: undefined, textToLose: undefined };
  let taken = 0;
  const sockets = new Set<Socket>();
  const releases = new Set<() => void>();
  const server: Server = createServer((near) => {
    taken += 1;
    if (refusedParameter !== undefined) refuseParameter(near, refusedParameter);
    const far = connect(Number(target.port || 5432), target.hostname);
    spoilStatements(near, far, state);
    const both = [forward(near, far, () => state.isCut), forward(far, near, () => state.isCut)];
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
    cut: () => {
      state.isCut = true;
    },
    cutBefore: (text) => {
      state.textToCutAt = text;
    },
    loseCommit: (text) => {
      state.textToLose = text;
    },
    mend: () => {
      state.isCut = false;
      for (const release of releases) release();
    },
    down,
    up: () => listen(port),
    close: down,
  };
}
