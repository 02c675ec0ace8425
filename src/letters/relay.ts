import { readFileSync } from "node:fs";
import type { Config } from "../config/config";

/** A mail as it is given to the relay. */
export interface Envelope {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** `<…@…>`: unchanged when the mail is sent again. */
  messageId: string;
  /** UNIX seconds. */
  date: number;
  /** Further headers, by name. */
  headers: Record<string, string>;
}

/** Permanent refusal of the relay: sending the mail again is of no use (RFC 5321, 4.2.1). */
export class MailRefusedError extends Error {}

/** A line of a dialogue: the speaker and the text, or an event. */
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

/** Whether a relay is configured. */
export const isMailOn = ({ smtpRelayHost }: Pick<Config, "smtpRelayHost">): boolean =>
  smtpRelayHost !== undefined;

/** Time that a relay may take to confirm a mail after receiving its text (RFC 5321, 4.5.3.2.6). */
const answerMilliseconds = 600_000;
/** Time for that confirmation when the server ends. */
const lastAnswerMilliseconds = 4_000;

/**
 * Gives one mail to the relay; answers the relay's reply. Until the text is sent the configured
 * timeout applies. The confirmation has a longer timeout, because a mail that the relay accepts
 * after the timeout would be sent twice; with `listen` it has the configured one, because somebody
 * waits for the dialogue. Throws `MailRefusedError` where the relay refuses this mail for good,
 * anything else where a retry may help. `listen` gets the dialogue, without the password.
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
 * Ends an attempt that takes too long: before the text is sent, and while its confirmation is
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

/** The place of the relay, as nodemailer takes it. */
export function connectionOf(config: RelayConfig) {
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
 * Whether an error is the relay's refusal of this mail. Errors of the connection, the sign-in or
 * the sender concern all mails, and the operator must fix them.
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
 * Receives nodemailer's log: the dialogue without sign-ins, events around it, and the moment when a
 * text was sent.
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
