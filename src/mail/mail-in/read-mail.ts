import type { Email } from "postal-mime";
import { newWords } from "./new-words";
import { textOfHtml } from "./text-of-html";

/** Form in which a mail is to be shown, as its address says. */
export interface MailOptions {
  showSender: boolean;
  keepQuotes: boolean;
  keepSignature: boolean;
  preferHtml: boolean;
}

/** A file that came with a mail. */
export interface MailFile {
  name: string;
  content: Uint8Array;
}

/** A mail, read. */
export interface ReceivedMail {
  /** Without Re: and the like; empty for none. */
  subject: string;
  /** Sender that it names. */
  from: { name: string; address: string };
  files: MailFile[];
  /**
   * Whether a program has answered by itself, which nobody wants to read and no program shall
   * answer.
   */
  isAutomaticReply: boolean;
  /** The servers that it has come through. */
  hops: number;
  /** The value of a header, empty where there is none. */
  header(name: string): string;
  /** Tells it from other mails, however often it is sent again. */
  identity: string;
  /** Its words as they are to be shown. */
  text(options: MailOptions): Promise<string>;
}

const nestingDepthMax = 50;
const headerBytesMax = 262_144;
/**
 * Lines and parts take time each, however short they are: a mail that people write has fewer by
 * far.
 */
const linesMax = 100_000;
const bytesPerLineMin = 32;
const boundariesMax = 5_000;
/** So much of a text is looked at: a message is shorter by far. */
const textLengthMax = 200_000;

/** Reads a mail as it came over the wire. Throws where it is none that can be read. */
export async function readMail(raw: Uint8Array): Promise<ReceivedMail> {
  requireFewLines(raw);
  const { default: PostalMime } = await import("postal-mime");
  const mail = await PostalMime.parse(raw, {
    maxNestingDepth: nestingDepthMax,
    maxHeadersSize: headerBytesMax,
  });
  const header = (name: string) =>
    mail.headers.find(({ key }) => key === name.toLowerCase())?.value ?? "";
  const given = mail.subject ?? "";
  return {
    subject: given.replace(replyMarks, "").trim(),
    from: { name: mail.from?.name ?? "", address: mail.from?.address ?? "" },
    files: mail.attachments.map(({ filename, mimeType, content }, index) => ({
      name: filename ?? `file-${index + 1}.${mimeType.split("/")[1] ?? "bin"}`,
      content:
        typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
    })),
    isAutomaticReply: isAutomaticReply(header),
    hops: mail.headers.filter(({ key }) => key === "received").length,
    header,
    identity: identityOf(mail),
    text: (options) =>
      textOf(mail, { ...options, keepQuotes: options.keepQuotes || forwardMark.test(given) }),
  };
}

/**
 * Refuses a mail that would keep the server busy for seconds: nothing else runs while it is taken
 * apart.
 */
function requireFewLines(raw: Uint8Array) {
  const [newLine, dash] = [0x0a, 0x2d];
  let [lines, boundaries] = [0, 0];
  for (let at = raw.indexOf(newLine); at >= 0; at = raw.indexOf(newLine, at + 1)) {
    lines += 1;
    if (raw[at + 1] === dash && raw[at + 2] === dash) boundaries += 1;
  }
  if (lines > Math.max(linesMax, raw.byteLength / bytesPerLineMin))
    throw new Error(`It has ${lines} lines.`);
  if (boundaries > boundariesMax)
    throw new Error(`It has ${boundaries} lines that begin as boundaries of parts do.`);
}

/** Re: and Fwd: in some languages, however often. */
const replyMarks = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw|rif|tr)(?:\[\d{1,3}\])?\s*:)+/i;
const forwardMark = /^\s*(?:fwd?|wg|tr)\s*:/i;

/** RFC 3834, and what programs send that do not know it. */
function isAutomaticReply(header: (name: string) => string): boolean {
  const isReply = /^auto-(?:replied|notified)/i.test(header("auto-submitted").trim());
  const isNotice = /^multipart\/report/i.test(header("content-type").trim());
  return (
    isReply ||
    isNotice ||
    header("x-autoreply") !== "" ||
    /^auto_reply/i.test(header("precedence").trim())
  );
}

function identityOf({ messageId, date, subject, text, html, attachments }: Email): string {
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(JSON.stringify([messageId, date, subject, text, html, attachments.length]));
  for (const { content } of attachments) hash.update(content);
  return hash.digest("hex");
}

async function textOf({ text = "", html = "" }: Email, options: MailOptions): Promise<string> {
  const isFromHtml = html.trim() !== "" && (options.preferHtml || text.trim() === "");
  const whole = isFromHtml ? await textOfHtml(html, options) : text;
  return newWords(
    whole.slice(0, textLengthMax).toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n"),
    options,
  );
}
