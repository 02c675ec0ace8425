import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { folderOfFile } from "../folder-of-file";
import "./quick-greeting";

/** A mail that the relay took. */
export interface Received {
  from: string;
  to: string[];
  /** User who had signed in, and whether the connection was encrypted. */
  user: string | undefined;
  isEncrypted: boolean;
  raw: string;
  mail: Email;
}

/** A mail server on this machine that accepts chatd's mail. */
export interface Relay {
  port: number;
  /** The flags with which a world sends through it. */
  flags: Record<string, string>;
  received: Received[];
  /** The Message-IDs of all mails that were sent to it, accepted or not. */
  offered: string[];
  /** Number of connections so far. */
  connections(): number;
  /**
   * Answers to the next mails, in turn, after their text: a refusal with code and text, or
   * undefined to accept.
   */
  answers: ({ code: number; text: string } | undefined)[];
  /** Refuses an address from now on. */
  refuse(address: string, code?: number): void;
  /** Refuses every sender before it learns the recipients. */
  refuseSender(): void;
  /** Stops answering, until it is closed: to addresses or, with `afterText`, to texts. */
  hang(when?: "address" | "afterText"): void;
  /** Delays the answer to the next text until the returned function is called. */
  holdNext(): () => void;
  close(): Promise<void>;
}

const refusal = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode });

/** Behaviour towards senders. */
interface Mood {
  refused: Map<string, number>;
  isSenderRefused: boolean;
  hangsAt: "address" | "afterText" | undefined;
  /** Promise that the answer to the next text waits for. */
  heldBy: Promise<void> | undefined;
}

type Taking = Pick<Relay, "received" | "offered" | "answers">;

/** Accepts a text, or refuses it. */
function taking({ received, offered, answers }: Taking, mood: Mood): SMTPServerOptions["onData"] {
  return (stream, session, callback) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", async () => {
      if (mood.hangsAt) return;
      const raw = Buffer.concat(chunks).toString();
      offered.push(/^Message-ID: (.*)\r$/im.exec(raw)?.[1] ?? "");
      const { heldBy } = mood;
      mood.heldBy = undefined;
      await heldBy;
      const answer = answers.shift();
      if (answer) return callback(refusal(answer.code, answer.text));
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        from: mailFrom === false ? "" : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        user: session.user,
        isEncrypted: session.secure,
        raw,
        mail: await PostalMime.parse(raw),
      });
      callback(null, `queued as ${received.length}`);
    });
  };
}

/** Starts a relay; `options` are the options of smtp-server, `at` is its port. */
export async function startRelay(options: SMTPServerOptions = {}, at = 0): Promise<Relay> {
  const taken: Taking = { received: [], offered: [], answers: [] };
  const mood: Mood = {
    refused: new Map(),
    isSenderRefused: false,
    hangsAt: undefined,
    heldBy: undefined,
  };
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    ...(options.key ? {} : { disabledCommands: ["STARTTLS"] }),
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onMailFrom: (_address, _session, callback) =>
      callback(mood.isSenderRefused ? refusal(530, "5.7.0 sign in first") : null),
    onRcptTo({ address }, _session, callback) {
      if (mood.hangsAt === "address") return;
      const code = mood.refused.get(address);
      callback(code === undefined ? null : refusal(code, "no such user `@**all**` here"));
    },
    onData: taking(taken, mood),
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  server.on("error", () => undefined);
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    flags: {
      smtp_relay_host: "127.0.0.1",
      smtp_relay_port: String(port),
      smtp_relay_security: "none",
      url: "https://chat.example.com",
      mail_from: "chat@example.com",
    },
    ...taken,
    connections: () => connections,
    refuse: (address, code = 550) => void mood.refused.set(address, code),
    refuseSender: () => void Object.assign(mood, { isSenderRefused: true }),
    hang: (hangsAt = "address") => void Object.assign(mood, { hangsAt }),
    holdNext() {
      const { promise, resolve } = Promise.withResolvers<void>();
      mood.heldBy = promise;
      return resolve;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A certificate for 127.0.0.1 made for this test, with its key; `file` is what vouches for it. */
export function makeCertificate(): { key: Buffer; cert: Buffer; file: string } {
  const folder = folderOfFile("relay");
  const [key, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  execFileSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    file,
    "-subj",
    "/CN=relay",
    "-addext",
    "subjectAltName=IP:127.0.0.1",
  ]);
  return { key: readFileSync(key), cert: readFileSync(file), file };
}

/** The first link in a mail's plain text that begins like that. */
export function linkIn({ mail }: Received, path: string): string {
  const found = (mail.text ?? "").split(/\s/).find((word) => word.includes(path));
  if (found === undefined) throw new Error(`no link to ${path} in: ${mail.text}`);
  return found;
}
