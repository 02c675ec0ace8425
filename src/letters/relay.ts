import { readFileSync } from "node:fs";
import type { Config } from "../config";

/** A mail as it is handed over. */
export interface Envelope {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** `<…@…>`: it does not change when the mail is sent again. */
  messageId: string;
  /** UNIX seconds. */
  date: number;
  /** Further headers, by name. */
  headers: Record<string, string>;
}

/** Refusal that the relay gave for good: to send it again is of no use (RFC 5321, 4.2.1). */
export class MailRefusedError extends Error {}

/** A line of a dialogue: who said it, or what happened. */
export interface DialogueLine {
  by: "server" | "client" | "here";
  text: string;
}

export type RelayConfig = Pick<
  Config,
  | "smtpRelayHost"
  | "smtpRelayPort"
  | "smtpRelaySecurity"
  | "smtpRelayUser"
  | "smtpRelayPassword"
  | "smtpRelayCaFile"
  | "smtpRelayTimeoutSeconds"
>;

/** Whether mail can be sent at all. */
export const isMailOn = ({ smtpRelayHost }: Pick<Config, "smtpRelayHost">): boolean =>
  smtpRelayHost !== undefined;

/**
 * Time that a relay may take to say that it has a mail whose text it was given (RFC 5321,
 * 4.5.3.2.6).
 */
const answerMilliseconds = 600_000;
/** Time for that answer when the server ends. */
const lastAnswerMilliseconds = 4_000;

/**
 * Hands one mail over to the relay; answers what it said. Until the text is given over this takes
 * no longer than the configuration says; for its answer the relay has more time, unless somebody
 * waits who is shown the dialogue: who gave up then would send a mail again that was taken. Throws
 * `MailRefusedError` where the relay refuses this mail for good, anything else where it may be
 * tried again. `listen` hears the dialogue, without the password.
 */
export async function sendByRelay(
  config: RelayConfig,
  { date, ...envelope }: Envelope,
  signal: AbortSignal,
  listen?: (line: DialogueLine) => void,
): Promise<string> {
  const { createTransport } = await import("nodemailer");
  const milliseconds = config.smtpRelayTimeoutSeconds * 1000;
  const ending = makeEnding(
    signal,
    milliseconds,
    listen ? milliseconds : Math.max(milliseconds, answerMilliseconds),
  );
  const transport = createTransport({
    ...connectionOf(config),
    name: envelope.from.address.slice(envelope.from.address.lastIndexOf("@") + 1),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    dnsTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: listener(listen, ending.textGiven),
    debug: listen !== undefined,
  });
  try {
    const mail = { ...envelope, date: new Date(date * 1000), signal: ending.signal };
    return (await transport.sendMail(mail)).response;
  } catch (error) {
    if (ending.signal.aborted)
      throw signal.aborted ? new Error("The server ends.") : tooSlow(config);
    throw isFinalRefusal(error) ? new MailRefusedError(describe(error)) : error;
  } finally {
    transport.close();
  }
}

/**
 * When a try ends that takes too long: before the text is given over, and while its answer is
 * awaited.
 */
function makeEnding(signal: AbortSignal, milliseconds: number, answerWithin: number) {
  const ending = new AbortController();
  const end = () => ending.abort();
  let isTextGiven = false;
  const within = (time: number, isOver: () => boolean) =>
    AbortSignal.timeout(time).addEventListener("abort", () => isOver() && end(), { once: true });
  within(milliseconds, () => !isTextGiven);
  const stop = () => (isTextGiven ? within(lastAnswerMilliseconds, () => true) : end());
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const textGiven = () => {
    isTextGiven = true;
    within(answerWithin, () => true);
  };
  return { signal: ending.signal, textGiven };
}

const tooSlow = ({ smtpRelayTimeoutSeconds }: RelayConfig) =>
  new Error(`The mail server took longer than ${smtpRelayTimeoutSeconds} seconds.`);

function connectionOf(config: RelayConfig) {
  const { smtpRelayHost: host = "", smtpRelayPort: port, smtpRelaySecurity: security } = config;
  const { smtpRelayUser: user, smtpRelayPassword: pass = "", smtpRelayCaFile: caFile } = config;
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user === undefined ? {} : { auth: { user, pass } }),
    ...(caFile === undefined ? {} : { tls: { ca: readFileSync(caFile, "utf8") } }),
  };
}

/**
 * Whether an error is the relay's word on this very mail: not one of the connection, nor of the
 * sign-in, nor of the sender, which all mails share and the operator must put right.
 */
export const isAboutMail = (error: unknown): boolean =>
  error instanceof MailRefusedError ||
  (error instanceof Error &&
    "code" in error &&
    (error.code === "EENVELOPE" || error.code === "EMESSAGE") &&
    !("command" in error && error.command === "MAIL FROM"));

const isFinalRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  isAboutMail(error) &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;

const describe = (error: Error): string =>
  "response" in error && typeof error.response === "string" ? error.response : error.message;

/**
 * Lines that nodemailer logs: the dialogue, with sign-ins left out, what happens around it, and
 * that a text is given over.
 */
function listener(listen: ((line: DialogueLine) => void) | undefined, textGiven: () => void) {
  const hear = (entry: unknown, text: unknown, ...values: unknown[]) => {
    if (typeof entry !== "object" || entry === null) return;
    if ("outByteCount" in entry) textGiven();
    const by = "tnx" in entry ? entry.tnx : undefined;
    if (!listen || (by !== "server" && by !== "client" && by !== "network" && by !== "smtp"))
      return;
    const filled = values.reduce<string>(
      (before, value) => before.replace(/%[sdj]/, () => String(value)),
      String(text),
    );
    for (const line of filled.split("\n")) {
      if (line.trim() !== "")
        listen({ by: by === "network" || by === "smtp" ? "here" : by, text: line.trim() });
    }
  };
  const ignore = () => undefined;
  return {
    level: ignore,
    trace: ignore,
    debug: hear,
    info: hear,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  };
}
