import type { Socket } from "bun";

/**
 * One answer: `body` is empty unless the request asked to keep it, and decoded when it is looked
 * at; `bodyBytes` is its true length.
 */
export type Reply = { status: number; readonly body: string; bodyBytes: number };

/** A keep-alive HTTP/1.1 connection that carries one request at a time. */
export type Connection = {
  /** Writes a whole request (see `formatRequest`) and resolves with its answer. */
  request(bytes: string, keepBody: boolean): Promise<Reply>;
  close(): void;
};

type Pending = {
  keepBody: boolean;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
};
type Reading = {
  head: Buffer | undefined;
  status: number;
  bodyBytes: number;
  missingBytes: number;
  parts: Buffer[];
};

const headEnd = "\r\n\r\n";

/**
 * Formats a request whose body, if any, is a urlencoded form of ASCII characters.
 * The host is `127.0.0.1`, as the organization file of the bench declares it.
 */
export function formatRequest(
  method: string,
  path: string,
  authorization: string,
  form?: string,
): string {
  const start = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n`;
  if (form === undefined) return `${start}\r\n`;
  return `${start}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
}

function emptyReading(): Reading {
  return { head: undefined, status: 0, bodyBytes: -1, missingBytes: -1, parts: [] };
}

const lengthName = "\r\nContent-Length: ";

function lengthAt(head: string): number {
  const at = head.indexOf(lengthName);
  return at < 0 ? head.toLowerCase().indexOf(lengthName.toLowerCase()) : at;
}

/** Reads the status and the length of the body out of a complete head. */
function readHead(reading: Reading, head: string): void {
  reading.status = Number(head.slice(9, 12));
  const at = lengthAt(head);
  if (at < 0)
    throw new Error(
      `the load generator reads only answers with a Content-Length, got: ${head.slice(0, 200)}`,
    );
  reading.bodyBytes = Number.parseInt(head.slice(at + lengthName.length, at + 40), 10);
  reading.missingBytes = reading.bodyBytes;
}

/** Takes in a piece of an answer; true once the answer is complete. */
function takeChunk(reading: Reading, chunk: Buffer, keepBody: boolean): boolean {
  let body = chunk;
  if (reading.missingBytes < 0) {
    const seen = reading.head === undefined ? chunk : Buffer.concat([reading.head, chunk]);
    const end = seen.indexOf(headEnd);
    if (end < 0) {
      reading.head = seen;
      return false;
    }
    readHead(reading, seen.toString("latin1", 0, end));
    body = seen.subarray(end + headEnd.length);
  }
  reading.missingBytes -= body.length;
  if (keepBody && body.length > 0) reading.parts.push(body);
  if (reading.missingBytes < 0)
    throw new Error("more bytes than one answer on a connection without pipelining");
  return reading.missingBytes === 0;
}

class Answer implements Reply {
  constructor(
    readonly status: number,
    readonly bodyBytes: number,
    private readonly parts: Buffer[],
  ) {}

  get body(): string {
    const [first] = this.parts;
    if (first === undefined) return "";
    return (this.parts.length === 1 ? first : Buffer.concat(this.parts)).toString("utf8");
  }
}

/**
 * Opens one keep-alive connection to 127.0.0.1. Written on a bare socket because `fetch` costs
 * twice the CPU per request, and the generator shares two cores with what it measures.
 */
export async function openConnection(port: number): Promise<Connection> {
  let pending: Pending | undefined;
  let reading = emptyReading();
  let open = true;

  function fail(error: Error): void {
    open = false;
    const failed = pending;
    pending = undefined;
    failed?.reject(error);
  }

  function receive(socket: Socket, chunk: Buffer): void {
    if (pending === undefined) return;
    try {
      if (!takeChunk(reading, chunk, pending.keepBody)) return;
    } catch (error) {
      socket.end();
      fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const done = pending;
    const answer = reading;
    pending = undefined;
    reading = emptyReading();
    done.resolve(new Answer(answer.status, answer.bodyBytes, answer.parts));
  }

  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: receive,
      close: () => fail(new Error("the server closed the connection")),
      error: (_, error) => fail(error),
    },
  });
  socket.setNoDelay(true);

  return {
    request(bytes, keepBody) {
      return new Promise<Reply>((resolve, reject) => {
        if (!open || pending !== undefined)
          return reject(new Error("the connection is closed or busy"));
        pending = { keepBody, resolve, reject };
        if (socket.write(bytes) < bytes.length)
          fail(new Error("a request did not fit the socket's buffer"));
      });
    },
    close() {
      open = false;
      pending = undefined;
      socket.end();
    },
  };
}

/**
 * Opens many connections, a hundred at a time, so that the server's accept backlog is not overrun.
 */
export async function openConnections(port: number, count: number): Promise<Connection[]> {
  const connections: Connection[] = [];
  while (connections.length < count) {
    const batch = Math.min(100, count - connections.length);
    connections.push(
      ...(await Promise.all(Array.from({ length: batch }, () => openConnection(port)))),
    );
  }
  return connections;
}
