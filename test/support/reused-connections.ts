import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { clientOptions } from "../../db/postgres-client";

/**
 * Connections to one database that stay open when a server of a test has closed them, for the next
 * server there: the session of a new one has to read from the catalogs all that it needs, which
 * takes longer than most tests. Before a connection is kept, PostgreSQL discards all that its
 * session remembers.
 */
export interface ReusedConnections {
  /** Resolves when every connection that was closed is kept, or gone. */
  settled(): Promise<void>;
  /** Closes those that are kept; others are closed for good from now on. */
  letGo(): void;
}

interface Kept {
  socket: Socket;
  /** Words of PostgreSQL to a session that begins, after it has let it in. */
  greeting: Buffer;
}

const discardAll = query("DISCARD ALL");
const isIdle = "I".charCodeAt(0);

class Connections implements ReusedConnections {
  isKeeping = true;
  /** By the message that sessions begin with, which has all of their settings. */
  private readonly kept = new Map<string, Kept[]>();
  private readonly closing = new Set<Promise<void>>();

  async settled() {
    await Promise.all(this.closing);
  }

  letGo() {
    this.isKeeping = false;
    for (const { socket } of [...this.kept.values()].flat()) socket.destroy();
    this.kept.clear();
  }

  take(startup: string): Kept | undefined {
    return this.kept.get(startup)?.pop();
  }

  /** Keeps a connection when its session has nothing left of its user. */
  keep(startup: string, kept: Kept) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closing.add(promise);
    const settle = () => {
      this.closing.delete(promise);
      resolve();
    };
    const { socket } = kept;
    const gone = () => {
      settle();
      this.kept.set(startup, this.kept.get(startup)?.filter((one) => one !== kept) ?? []);
    };
    socket.removeAllListeners();
    socket.on("error", () => socket.destroy()).on("close", gone);
    let hasDiscarded = false;
    const ready = readMessages((type, message) => {
      hasDiscarded ||= type === "C" && message.includes("DISCARD ALL\0");
      const isInTransaction = type === "Z" && message.at(-1) !== isIdle;
      if (type === "E" || isInTransaction || !this.isKeeping) return void socket.destroy();
      if (type !== "Z" || !hasDiscarded) return;
      this.kept.set(startup, [...(this.kept.get(startup) ?? []), kept]);
      settle();
    });
    socket.on("data", ready).resume();
    socket.write(discardAll);
  }
}

/** A connection as its client sees it, which uses one that is kept where there is one. */
class Seat extends EventEmitter {
  readyState: "open" | "closed" = "open";
  private socket: Socket | undefined;
  private startup = "";
  private greeting: Buffer | undefined;
  /** Looks at the bytes that come until the session has begun. */
  private hear: ((bytes: Buffer) => void) | undefined;

  constructor(
    private readonly connections: Connections,
    private readonly port: number,
    private readonly host: string,
  ) {
    super();
  }

  write(bytes: Buffer, done?: () => void): boolean {
    if (this.socket) return this.socket.write(bytes, done);
    this.startup = bytes.toString("latin1");
    const kept = this.connections.take(this.startup);
    if (kept) {
      this.socket = kept.socket.removeAllListeners();
      this.greeting = kept.greeting;
      setImmediate(() => this.emit("data", kept.greeting));
    } else {
      this.socket = new Socket();
      this.socket.connect(this.port, this.host);
      this.hear = this.greetingHearer();
      this.socket.write(bytes, done);
    }
    this.attach(this.socket);
    return true;
  }

  /** The last message of a client that closes its connection. */
  end(bytes: Buffer) {
    this.readyState = "closed";
    const { socket, greeting } = this;
    if (socket === undefined || greeting === undefined || !this.connections.isKeeping) {
      socket?.end(bytes);
      return;
    }
    this.connections.keep(this.startup, { socket, greeting });
    setImmediate(() => this.emit("close", false));
  }

  destroy() {
    this.readyState = "closed";
    if (this.socket) this.socket.destroy();
    else setImmediate(() => this.emit("close", false));
  }

  pause = () => this.socket?.pause();
  resume = () => this.socket?.resume();
  setKeepAlive = () => undefined;

  private attach(socket: Socket) {
    socket.on("data", (bytes: Buffer) => {
      this.hear?.(bytes);
      this.emit("data", bytes);
    });
    for (const event of ["error", "drain"]) {
      socket.on(event, (given: unknown) => this.emit(event, given));
    }
    socket.on("close", (hadError) => {
      this.readyState = "closed";
      this.emit("close", hadError);
    });
  }

  /** Notes the words of the server after it has let a session in: settings, its key, that it is ready. */
  private greetingHearer() {
    const greeting: Buffer[] = [];
    return readMessages((type, message) => {
      if (["S", "K", "Z"].includes(type)) greeting.push(Buffer.from(message));
      if (type !== "Z" || this.greeting !== undefined) return;
      this.greeting = Buffer.concat([letIn, ...greeting]);
      this.hear = undefined;
    });
  }
}

/** "AuthenticationOk". */
const letIn = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);

/** A simple query as it is sent. */
function query(sql: string): Buffer {
  const message = Buffer.from(`Q\0\0\0\0${sql}\0`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}

const headerBytes = 5;

/** Cuts what a server sends into messages: a letter, the length, and the rest. */
function readMessages(take: (type: string, message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= headerBytes) {
      const end = 1 + rest.readUInt32BE(1);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      take(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}

const byDatabase = new Map<string, Connections>();

/** From now on connections of servers to a database are kept. */
export function reuseConnections(databaseUrl: string): ReusedConnections {
  const connections = new Connections();
  byDatabase.set(new URL(databaseUrl).host + new URL(databaseUrl).pathname, connections);
  return connections;
}

interface Wanted {
  host: string[];
  port: number[];
  database: string;
}

// postgres.js takes it, and its types do not name it.
Object.assign(clientOptions, {
  socket: ({ host: [host = ""], port: [port = 0], database }: Wanted) => {
    const connections = byDatabase.get(`${host}:${port}/${database}`);
    if (connections?.isKeeping) return new Seat(connections, port, host);
    return new Socket().connect(port, host);
  },
});
