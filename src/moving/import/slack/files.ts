import type { Outbound } from "../../../core/network/outbound";
import { contentTypeOf } from "../../../uploads/content-type";
import { addressName, shownName } from "../../../uploads/file-name";
import type { Progress } from "../../backup/progress";
import { type Given, givenList, givenNumber, givenText } from "../json";
import type { SkipReport } from "../report";
import type { StageWriter } from "../stage-writer";
import { isDamage, type ZipFile } from "../zip";
import { contentWhere200, type Fetching, SlackServer } from "./slack-server";
import { withoutTokens } from "./text";

const mebibyte = 1024 ** 2;
/** Size limit of a fetched file, because the whole file is in memory while it is fetched. */
const fetchedMibMax = 100;
const fetchMilliseconds = 120_000;

/** Folder of the archive with the files of messages, if it has them. */
const uploadsFolder = "__uploads/";

interface Source extends Fetching {
  writer: StageWriter;
  zip: ZipFile;
  report: SkipReport;
  progress: Progress;
  /**
   * The new name of a file of the export. It cannot be guessed, and is equal when the import is
   * repeated.
   */
  nameOf(fileId: string): string;
}

interface Attachment {
  id: number;
  pathId: string;
}

/** The reason why the export has a file without its address. */
function whyWithoutAddress(file: Given): string {
  if (file["mode"] === "hidden_by_limit")
    return "are hidden by the limit of a free workspace: export again on a paid plan";
  switch (file["file_access"]) {
    case "access_denied":
      return "may not be read by the account that made the export";
    case "file_not_found":
      return "were not found at Slack";
    default:
      return "have been deleted";
  }
}

/** Whether an address contains a token of the export. */
const hasToken = (address: string) => withoutTokens(address) !== address;

/**
 * Files of an export. Files in the archive are imported with their messages. Others are fetched
 * with the token in their address, while that token is valid. If this fails, the message contains
 * the address without the token, and the report contains the reason.
 */
export class SlackFiles {
  /** Attachments by the file's id in Slack; undefined for a file that could not be fetched. */
  private readonly attachments = new Map<string, Attachment | undefined>();
  /** Names in the archive of the files that messages name. */
  private readonly namedEntries = new Set<string>();
  private fetched = 0;
  private readonly slack: SlackServer;

  constructor(private readonly source: Source) {
    this.slack = new SlackServer(source);
  }

  /** Lines that link to the files of a message, and the ids of the imported files. */
  async ofMessage(ownerId: number, message: Given, which: string) {
    const lines: string[] = [];
    const attachmentIds: number[] = [];
    // Until 2018 a message had one file at most.
    for (const file of givenList(message["files"] ?? [message["file"]])) {
      const name = shownName(withoutTokens(givenText(file["title"]) || givenText(file["name"])));
      const label = name.replace(/[[\]]/g, "");
      const address = givenText(file["url_private"]) || givenText(file["permalink"]);
      const isAddress = /^https?:\/\/[^\s()<>]+$/.test(address);
      const attachment = await this.take(ownerId, file, {
        name,
        address: isAddress ? address : "",
        which,
      });
      if (attachment) {
        attachmentIds.push(attachment.id);
        lines.push(`[${label}](/user_uploads/${attachment.pathId})`);
      } else if (isAddress) lines.push(`[${label}](${withoutTokens(address)})`);
      else this.source.report.add("files", which, whyWithoutAddress(file));
    }
    return { lines, attachmentIds };
  }

  /** Reports files in the archive that no message names. */
  reportUnnamed(): void {
    const { zip, report } = this.source;
    for (const name of zip.names) {
      const isFile = name.startsWith(uploadsFolder) && !name.endsWith("/");
      if (isFile && !this.namedEntries.has(name))
        report.add("files", name, "are named by no message");
    }
  }

  private async take(
    ownerId: number,
    file: Given,
    { name, address, which }: { name: string; address: string; which: string },
  ) {
    const { writer, zip, report, nameOf } = this.source;
    const fileId = givenText(file["id"]);
    if (fileId === "" || this.attachments.has(fileId)) return this.attachments.get(fileId);
    const entry = `${uploadsFolder}${fileId}/${givenText(file["name"])}`;
    this.namedEntries.add(entry);
    if (!zip.has(entry) && (address === "" || file["is_external"] === true)) return undefined;
    // Each file takes an id, even if it cannot be fetched, so that a repeated import gives equal
    // ids.
    const id = writer.nextId("attachments");
    this.attachments.set(fileId, undefined);
    const content = zip.has(entry) ? zip.chunks(entry) : await this.fetch(file, address);
    if (typeof content === "string") {
      report.add("files", `${which} ${name}`, content);
      return undefined;
    }
    const token = nameOf(fileId);
    const attachment = { id, pathId: `${writer.realmId}/${token}/${addressName(name)}` };
    const size_bytes = await writer.addFile(token, content).catch((error: unknown) => {
      // Without a damaged file the import continues. Any other error, such as a full disk, ends it.
      if (!isDamage(error)) throw error;
      report.add("files", `${which} ${name}`, error.message);
      return undefined;
    });
    if (size_bytes === undefined) return undefined;
    await writer.add("attachments", {
      id,
      owner_id: ownerId,
      path_id: attachment.pathId,
      name,
      content_type: contentTypeOf(name),
      size_bytes,
      created_at: givenNumber(file["created"]),
    });
    this.attachments.set(fileId, attachment);
    return attachment;
  }

  /** The content of a file on Slack's server, or the reason why it cannot be fetched. */
  private async fetch(file: Given, address: string): Promise<Uint8Array | string> {
    const sizeBytes = givenNumber(file["size"]);
    if (!hasToken(address))
      return "are not in the export, and their address has no token to fetch them with";
    if (sizeBytes > fetchedMibMax * mebibyte)
      return `are larger than ${fetchedMibMax} MiB: fetch them by hand`;
    const content = await this.slack.fetch(
      address,
      { timeoutMilliseconds: fetchMilliseconds, responseBytesMax: fetchedMibMax * mebibyte },
      (answer) => fileIn(answer, givenText(file["mimetype"]), sizeBytes),
    );
    if (typeof content === "string") return content;
    this.fetched += 1;
    this.source.progress("Files from Slack", this.fetched);
    return content;
  }
}

/**
 * The file in the answer, or the reason why the answer is not the file. Slack redirects a request
 * without a valid token to its sign-in page.
 */
function fileIn(answer: Outbound, mimeType: string, sizeBytes: number): Uint8Array | string {
  const content = contentWhere200(answer);
  if (answer.is !== "answered" || typeof content === "string") return content;
  const isPage =
    /^text\/html\b/i.test(answer.headers.get("content-type") ?? "") &&
    !mimeType.startsWith("text/html");
  const isWhole = sizeBytes === 0 || content.byteLength === sizeBytes;
  return isPage || !isWhole ? "the answer was not the file" : content;
}
