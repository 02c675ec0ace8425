import { EventEmitter } from "node:events";
import { connect, type Socket } from "node:net";
import { waysTo } from "../../../db/postgres-client";
import { tellCounts } from "./seeded-rows";

/*
 * Sessions of PostgreSQL that go from one world to the next, because a new session reads the
 * catalog for each table again. A client sees a new connection, with the greeting that the first
 * client of the session got. When the client ends it, the session forgets all that the client has
 * set.
 */

/** Sessions with one database. */
export interface LentSessions {
  /** Waits until the sessions have forgotten their clients; answers whether all have come back. */
  areBack(): Promise<boolean>;
  /** Number of sessions that are connected. */
  count(): number;
  /** Lends no more: sessions end with their clients, and clients connect as usual from now on. */
  stop(): void;
}

interface Session {
  socket: Socket;
  /** First message of its clients, which asks for settings: all its clients send an equal one. */
  hello: Buffer;
  /** Answer of the server to a client that it lets in. */
  greeting: Buffer | undefined;
  client: LentSocket | undefined;
  messages: MessageWalker;
  receive: (piece: Buffer) => void;
  /** Called when the connection is lost while it has no client. */
  lost: () => void;
}

const type = { ready: 0x5a, error: 0x45, parameter: 0x53, key: 0x4b };
const headerBytes = 5;
const outsideTransaction = 0x49;
const letIn = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const goodbye = Buffer.from([0x58, 0, 0, 0, 4]);
const sync = Buffer.from([0x53, 0, 0, 0, 4]);
const ready = Buffer.from([type.ready, 0, 0, 0, 5, outsideTransaction]);

/** Lends sessions to the product's clients of a database. */
export function lendSessions(url: string): LentSessions {
  const sessions = new Set<Session>();
  const free: Session[] = [];
  const forgetting = new Set<Promise<void>>();
  let isLending = true;
  const takeBack = (session: Session): boolean => {
    if (!isLending || session.greeting === undefined) return false;
    session.client = undefined;
    const forgotten = forget(session).then((hasForgotten) => {
      forgetting.delete(forgotten);
      if (hasForgotten && isLending) free.push(session);
      else end(session);
    });
    forgetting.add(forgotten);
    return true;
  };
  const begin = (client: LentSocket, hello: Buffer, socket: Socket) => {
    const session = beginSession(client, hello, socket);
    sessions.add(session);
    socket.on("close", (hadError) => {
      sessions.delete(session);
      if (free.includes(session)) free.splice(free.indexOf(session), 1);
      session.lost();
      session.client?.close(hadError);
    });
    return session;
  };
  waysTo.set(url, ({ host: [host = ""], port: [port = 0] }) => {
    const take = (client: LentSocket, hello: Buffer) => {
      const index = free.findLastIndex((session) => session.hello.equals(hello));
      const [session] = index < 0 ? [] : free.splice(index, 1);
      return session ? lend(session, client) : begin(client, hello, connectTo(host, port));
    };
    return new LentSocket(take, takeBack);
  });
  return {
    async areBack() {
      await Promise.all(forgetting);
      // A session that ends has no client either.
      return [...sessions].every(({ client }) => client === undefined);
    },
    count: () => sessions.size,
    stop() {
      isLending = false;
      waysTo.delete(url);
      free.splice(0).forEach(end);
    },
  };
}

/**
 * Connects through the server's UNIX socket where the test run names its folder, because that takes
 * both sides less than TCP.
 */
function connectTo(host: string, port: number): Socket {
  const folder = process.env.CHATD_TEST_POSTGRES_SOCKETS;
  return folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, host);
}

const end = ({ socket }: Session) => void socket.end(goodbye);

/** The part of a socket that postgres.js uses. */
export class LentSocket extends EventEmitter {
  readyState: "open" | "closed" = "open";
  private session: Session | undefined;

  /** `takeBack` answers whether it does; else the session ends with its client. */
  constructor(
    private readonly take: (client: LentSocket, hello: Buffer) => Session,
    private readonly takeBack: (session: Session) => boolean,
  ) {
    super();
  }

  write(bytes: Buffer, done?: () => void): boolean {
    if (this.session !== undefined) return this.session.socket.write(bytes, done);
    if (this.readyState === "open") this.session = this.take(this, Buffer.from(bytes));
    return true;
  }

  end(bytes: Buffer) {
    const { session } = this;
    if (session !== undefined && !this.takeBack(session)) {
      session.socket.end(bytes);
      return;
    }
    this.session = undefined;
    // Not at once, because postgres.js begins to wait for it now.
    queueMicrotask(() => this.close(false));
  }

  destroy() {
    if (this.session) this.session.socket.destroy();
    else this.close(false);
  }

  pause = () => this.session?.socket.pause();
  resume = () => this.session?.socket.resume();

  close(hadError: boolean) {
    if (this.readyState === "closed") return;
    this.readyState = "closed";
    this.emit("close", hadError);
  }
}

function beginSession(client: LentSocket, hello: Buffer, socket: Socket): Session {
  const messages = new MessageWalker();
  const pieces: Buffer[] = [];
  const session: Session = {
    socket,
    hello,
    greeting: undefined,
    client,
    messages,
    lost: () => undefined,
    receive(piece) {
      pieces.push(piece);
      messages.walk(piece, (ended) => {
        if (ended !== type.ready) return;
        session.greeting ??= greetingOf(Buffer.concat(pieces));
        session.receive = (more) => pass(session, more);
      });
      session.client?.emit("data", piece);
    },
  };
  // Not by `on`: what its clients get is counted with them (`bytes-read.ts`).
  socket.addListener("data", (piece: Buffer) => session.receive(piece));
  socket.on("drain", () => session.client?.emit("drain"));
  socket.on("error", (error) => session.client?.emit("error", error));
  socket.write(hello);
  return session;
}

/** Answer to a client that need not say who it is: parameters of the session, and its key. */
function greetingOf(answer: Buffer): Buffer {
  const kept: Buffer[] = [letIn];
  new MessageWalker().walk(answer, (ended, start, end) => {
    if (ended === type.parameter || ended === type.key) kept.push(answer.subarray(start, end));
  });
  return Buffer.concat([...kept, ready]);
}

function pass(session: Session, piece: Buffer) {
  session.messages.walk(piece, () => undefined);
  session.client?.emit("data", piece);
}

/** Lends a session that is free; its new client hears nothing of what it answers before. */
function lend(session: Session, client: LentSocket): Session {
  session.client = client;
  session.receive = (piece) => {
    session.messages.walk(piece, (ended, _, end) => {
      if (ended !== type.ready) return;
      session.receive = (more) => pass(session, more);
      if (end < piece.length) client.emit("data", piece.subarray(end));
    });
  };
  session.socket.write(question("RESET application_name"));
  queueMicrotask(() => client.emit("data", session.greeting));
  return session;
}

/**
 * Whether a session has forgotten its client: not where that has left it in a transaction. Answers
 * that the client no longer waits for come before.
 */
function forget(session: Session): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // A free session is not to be taken for one of a server that runs. Rows that it has changed are
  // counted from now on.
  const named = "SET application_name = 'free'";
  const questions = ["DISCARD ALL", `${named}; ${tellCounts}`].map(question);
  let answer = Buffer.alloc(0);
  session.receive = (piece) => {
    answer = Buffer.concat([answer, piece]);
    let last = 0;
    session.messages.walk(piece, (ended) => {
      if (ended === type.error) resolve(false);
      last = ended;
    });
    if (last === type.ready && answer.includes("application_name\0free\0")) resolve(true);
  };
  session.lost = () => resolve(false);
  session.socket.write(Buffer.concat([sync, ...questions]));
  return promise;
}

/** A statement as a message of the protocol. */
function question(sql: string): Buffer {
  const message = Buffer.from(`Q\0\0\0\0${sql}\0`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}

/** Finds the messages in what a server sends, which comes in pieces of any length. */
class MessageWalker {
  private header: number[] = [];
  private bytesLeft = 0;
  private start = 0;

  /** Tells of each message that ends in a piece, and where it lies there. */
  walk(piece: Buffer, ended: (type: number, start: number, end: number) => void) {
    let at = 0;
    this.start = 0;
    while (at < piece.length) {
      if (this.header.length < headerBytes) {
        if (this.header.length === 0) this.start = at;
        this.header.push(piece[at++] ?? 0);
        if (this.header.length < headerBytes) continue;
        const [, a = 0, b = 0, c = 0, d = 0] = this.header;
        this.bytesLeft = ((a << 24) | (b << 16) | (c << 8) | d) - 4;
      }
      const step = Math.min(this.bytesLeft, piece.length - at);
      at += step;
      this.bytesLeft -= step;
      if (this.bytesLeft > 0) continue;
      const [first = 0] = this.header;
      this.header.length = 0;
      ended(first, this.start, at);
    }
  }
}
