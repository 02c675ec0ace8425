import type { Email } from "postal-mime";
import { newWords } from "./new-words";
import { textOfHtml } from "./text-of-html";

/** Options for the text of a mail, as given in its address. */
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

/** A parsed mail. */
export interface ReceivedMail {
  /** Without "Re:" and similar prefixes; may be empty. */
  subject: string;
  /** The sender's name and address in the mail. */
  from: { name: string; address: string };
  files: MailFile[];
  /**
   * Whether it is an automatic reply, such as an absence notice, which must neither be posted nor
   * answered.
   */
  isAutomaticReply: boolean;
  /** Number of servers that it has passed. */
  hops: number;
  /** The value of a header, empty if missing. */
  header(name: string): string;
  /** Identifies the mail, so that one that is sent again is recognized. */
  identity: string;
  /** Its text for a message. */
  text(options: MailOptions): Promise<string>;
}

const nestingDepthMax = 50;
const headerBytesMax = 262_144;
/** Limit of lines, because each line and part takes time; mails of people have far fewer. */
const linesMax = 100_000;
const bytesPerLineMin = 32;
const boundariesMax = 5_000;
/** Length of text that is read: messages are far shorter. */
const textLengthMax = 200_000;

/** Parses a raw mail. Throws if it cannot be parsed. */
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
 * Refuses a mail that would keep the server busy for seconds, because nothing else runs while it is
 * parsed.
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

/** "Re:" and "Fwd:" in some languages, repeated. */
const replyMarks = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw|rif|tr)(?:\[\d{1,3}\])?\s*:)+/i;
const forwardMark = /^\s*(?:fwd?|wg|tr)\s*:/i;

/** RFC 3834, and headers of programs that do not follow it. */
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
