import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { App } from "../../core/context";
import { ApiError, isRefusal } from "../../core/errors";
import { describeError, tellFailure } from "../../core/log";
import { countedAddress } from "../../core/network/address";
import { certificateEnds, endOfCertificate } from "../../core/network/certificates";
import { whyNotListening } from "../../core/network/why-not-listening";
import { ownMailHeader, ownMailMark } from "../../core/own-mail";
import { TokenBuckets } from "../../core/turns/token-buckets";
import { postMail } from "./post-mail";
import { type ReceivedMail, readMail } from "./read-mail";
import { findRecipient, type Recipient } from "./recipient";
import { whyNotReceiving } from "./why-not-receiving";

const recipientsMax = 20;
const commandsMax = 1_000;
/**
 * Number of servers that a mail may have passed: more mean that it goes in circles (RFC 5321, 6.3).
 */
const hopsMax = 50;
const silenceMilliseconds = 60_000;
const closeMilliseconds = 5_000;
/** Greatest duration of a connection, even of an active one: enough for any mail. */
const sessionMilliseconds = 600_000;
/** Share of all connections that one address may use. */
const shareMax = 0.5;
const certificateMilliseconds = 3_600_000;
/** Memory for mails that are being received; at least enough for two of the largest. */
const bytesInMemoryMax = 134_217_728;

/** Server that receives mail; the port is known when it listens. */
export interface MailServer {
  port: number;
  /** Ends when mails under way have been answered, or after some seconds. */
  close(): Promise<void>;
}

/** Refusal of a mail: temporary from 400 on, permanent from 500 on (RFC 3463). */
class MailRefused extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

const noSuchAddress = () => new MailRefused(550, "5.1.1 There is no such address here");
const tryLater = () => new MailRefused(451, "4.3.0 Something went wrong here: try again later");

/**
 * Receives mail to the addresses of channels (`smtp_port`) and posts each as a message. A mail is
 * accepted when its message is on disk; one that is sent again after that is not posted twice.
 * Invalid addresses are refused at once.
 */
export async function startMailServer(app: App): Promise<MailServer> {
  const { config, clock, log } = app;
  const [problem] = whyNotReceiving(config);
  if (problem !== undefined) throw new Error(problem);
  const { SMTPServer } = await import("smtp-server");
  const sessions = new MailSessions(app);
  const tls = readCertificate(app);
  const server: SMTPServer = new SMTPServer({
    name: config.channelEmailDomain,
    banner: "chatd",
    size: config.smtpSizeBytesMax,
    authOptional: true,
    maxClients: config.smtpConnectionsMax,
    socketTimeout: silenceMilliseconds,
    closeTimeout: closeMilliseconds,
    disableReverseLookup: true,
    disabledCommands: tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    ...tls,
    maxRecipients: recipientsMax,
    maxAllowedUnauthenticatedCommands: commandsMax,
    onConnect: (session, done) =>
      void answer(log, done, () => sessions.admit(session, () => hangUp(server, session))),
    onClose: (session) => sessions.leave(session),
    onRcptTo: ({ address }, _session, done) =>
      void answer(log, done, () => sessions.address(address)),
    onData: (stream, session, done) =>
      void answer(log, done, () => sessions.receive(stream, session)),
  });
  server.on("error", (error) => log.debug("mail_connection_failed", describeError(error)));
  const port = await listening(server, config.smtpPort ?? 0, config.smtpHost ?? config.host);
  const stopReading = clock.every(certificateMilliseconds, () => renewCertificate(app, server));
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        stopReading();
        server.close(resolve);
      }),
  };
}

type Log = App["log"];

/** Ends a connection that takes too long. */
function hangUp({ connections }: SMTPServer, { id }: SMTPServerSession) {
  const connection = [...connections].find(({ session }) => session.id === id);
  connection?.send(421, "4.4.2 This takes too long: connect again");
}

/**
 * Ends a step of the dialogue. An error that is no refusal of ours is logged, and the sender is
 * asked to try again.
 */
async function answer(
  log: Log,
  done: (error?: Error | null) => void,
  step: () => Promise<void> | void,
) {
  try {
    await step();
    done();
  } catch (error) {
    if (!(error instanceof MailRefused)) tellFailure(log.error, "mail_failed", error);
    done(error instanceof MailRefused ? error : tryLater());
  }
}

function listening(server: SMTPServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: Error) => {
      const flags = { port: "--smtp-port", host: "--smtp-host" };
      const why = whyNotListening({ host, port }, error, flags);
      reject(
        new Error(why ?? `Mail cannot be received on port ${port} of ${host}: ${error.message}`),
      );
    });
    const socket = server.listen(port, host, () => {
      const at = socket.address();
      resolve(typeof at === "object" && at ? at.port : port);
    });
  });
}

function readCertificate(app: Pick<App, "config" | "memory">) {
  const { smtpTlsCertificate, smtpTlsKey } = app.config;
  if (smtpTlsCertificate === undefined || smtpTlsKey === undefined) return undefined;
  const [cert, key] = [readFileSync(smtpTlsCertificate), readFileSync(smtpTlsKey)];
  if (!isPair(cert, key))
    throw new Error(
      `${smtpTlsKey} does not hold the key of the certificate in ${smtpTlsCertificate}.`,
    );
  certificateEnds.of(app).set("mail", endOfCertificate(cert));
  return { cert, key };
}

/** Checked here, because otherwise only connecting clients would see the error. */
function isPair(cert: Buffer, key: Buffer): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Loads a renewed certificate for new connections. */
function renewCertificate(app: App, server: SMTPServer) {
  try {
    const tls = readCertificate(app);
    if (tls) server.updateSecureContext(tls);
  } catch (error) {
    app.log.warn("mail_certificate_failed", describeError(error));
  }
}

/** The sessions of the mail server. */
class MailSessions {
  /** The accepted connections, by their ids. */
  private readonly accepted = new Map<string, { address: string; endWaiting(): void }>();
  private readonly connections: TokenBuckets<string>;
  private bytesInMemory = 0;

  constructor(private readonly app: App) {
    const capacity = app.config.smtpConnectionsPerMinutePerAddress;
    this.connections = new TokenBuckets({
      capacity: capacity || Number.MAX_SAFE_INTEGER,
      seconds: 60,
    });
  }

  /** `hangUp` ends a connection that takes too long. */
  admit({ id, remoteAddress }: SMTPServerSession, hangUp: () => void) {
    const { clock, config } = this.app;
    const address = countedAddress(remoteAddress);
    const bucket = this.connections.of(address, clock.now());
    const its = [...this.accepted.values()].filter((one) => one.address === address);
    if (bucket.tokens < 1 || its.length >= Math.ceil(config.smtpConnectionsMax * shareMax)) {
      throw new MailRefused(421, "4.7.0 Too many connections: try again later");
    }
    bucket.tokens -= 1;
    this.accepted.set(id, { address, endWaiting: clock.after(sessionMilliseconds, hangUp) });
  }

  leave({ id }: SMTPServerSession) {
    this.accepted.get(id)?.endWaiting();
    this.accepted.delete(id);
  }

  async address(address: string) {
    if (!(await findRecipient(this.app, address))) throw noSuchAddress();
  }

  async receive(
    stream: SMTPServerDataStream,
    { envelope: { rcptTo }, remoteAddress }: SMTPServerSession,
  ) {
    const { app } = this;
    const raw = await this.collect(stream);
    try {
      const mail = await readMail(raw).catch((error: unknown) => {
        app.log.warn("mail_unreadable", { address: remoteAddress, ...describeError(error) });
        throw new MailRefused(554, "5.6.0 This mail cannot be read");
      });
      if (mail.header(ownMailHeader).trim() === ownMailMark(app.secrets) || mail.hops > hopsMax) {
        throw new MailRefused(554, "5.4.6 This mail goes in circles");
      }
      if (mail.isAutomaticReply)
        return app.log.info("mail_dropped", { why: "automatic reply", address: remoteAddress });
      await this.postAll(await this.findRecipients(rcptTo), mail);
    } finally {
      this.bytesInMemory -= raw.byteLength;
    }
  }

  /**
   * Recipients of a mail as of now, because an address may have been replaced since it was given.
   */
  private async findRecipients(named: readonly { address: string }[]): Promise<Recipient[]> {
    const recipients: Recipient[] = [];
    for (const { address } of named) {
      const recipient = await findRecipient(this.app, address);
      if (recipient) recipients.push(recipient);
    }
    if (recipients.length === 0) throw noSuchAddress();
    return recipients;
  }

  /**
   * Reads the mail into memory. The rest of one that is too large is read and dropped, because its
   * sender reads the answer only then.
   */
  private async collect(stream: SMTPServerDataStream): Promise<Uint8Array> {
    const { smtpSizeBytesMax: sizeMax } = this.app.config;
    const memoryMax = Math.max(bytesInMemoryMax, 2 * sizeMax);
    const chunks: Uint8Array[] = [];
    let size = 0;
    let refusal: MailRefused | undefined;
    const letGo = (why: MailRefused | undefined) => {
      this.bytesInMemory -= size;
      chunks.length = 0;
      size = 0;
      refusal = why;
    };
    try {
      for await (const chunk of stream) {
        if (refusal) continue;
        chunks.push(chunk);
        size += chunk.byteLength;
        this.bytesInMemory += chunk.byteLength;
        if (size > sizeMax || stream.sizeExceeded)
          letGo(new MailRefused(552, `5.3.4 A mail may have ${sizeMax} bytes`));
        else if (this.bytesInMemory > memoryMax)
          letGo(new MailRefused(452, "4.3.1 Too much mail at once: try again later"));
      }
    } catch (error) {
      letGo(undefined);
      this.app.log.debug("mail_broken_off", describeError(error));
      throw tryLater();
    }
    if (refusal) throw refusal;
    return Buffer.concat(chunks);
  }

  /**
   * One answer for all recipients: a refusal only where nothing was posted. Where a recipient may
   * succeed later, the sender is asked to send the mail again.
   */
  private async postAll(recipients: readonly Recipient[], mail: ReceivedMail) {
    const refusals: ApiError[] = [];
    for (const recipient of recipients) {
      try {
        await postMail(this.app, recipient, mail);
      } catch (error) {
        // Another upload has used the room for a file of this mail: next time its message says so.
        const passing = ["RATE_LIMIT_HIT", "REALM_UPLOAD_QUOTA"];
        if (error instanceof ApiError && passing.includes(error.code))
          throw new MailRefused(451, "4.3.2 Too many files at once: try again later");
        if (!isRefusal(error)) throw error;
        refusals.push(error);
        this.app.log.info("mail_refused", { channel: recipient.channel.id, why: error.message });
      }
    }
    const [first] = refusals;
    if (first && refusals.length === recipients.length) {
      throw new MailRefused(550, `5.7.1 ${first.message.replace(/[^\x20-\x7e]+/g, "?")}`);
    }
  }
}
