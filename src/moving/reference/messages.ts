import { and, asc, gte, lte } from "drizzle-orm";
import { contentsOf } from "../../messages/search/document";
import type { Progress } from "../backup/progress";
import { messagePages } from "../check/message-pages";
import type { ArchiveFile, ArchiveRow } from "./archive-file";
import type { Clients } from "./clients";
import { type Received, Receivers } from "./received";
import type { Conversations } from "./recipients";
import { placeOf } from "./recipients";
import type { Snapshot } from "./snapshot";

type MessageRow = Snapshot["reader"]["t"]["messages"]["$inferSelect"];
type EditRow = Snapshot["reader"]["t"]["messageEdits"]["$inferSelect"];

const ordinary = 1;
const rendererVersion = 1;
/** Limits of one file of messages, because the importer reads a whole file into memory. */
const [messagesPerFile, receivedPerFile] = [1_000, 200_000];

interface Surroundings {
  archive: ArchiveFile;
  clients: Clients;
  conversations: Conversations;
  progress: Progress;
  check: () => void;
}

/**
 * Adds all messages, and the rows of the people who have received them; answers the number of
 * messages.
 */
export async function addMessages(
  snapshot: Snapshot,
  { archive, clients, conversations, progress, check }: Surroundings,
): Promise<number> {
  const { reader, realm } = snapshot;
  const receivers = await Receivers.read(snapshot, conversations);
  const file = new MessageFiles(archive);
  for await (const ids of messagePages(reader, realm.id, Number.MAX_SAFE_INTEGER)) {
    const page = await readPage(snapshot, ids);
    const received = await receivers.of(page.messages);
    for (const message of page.messages) {
      check();
      const edits = page.edits.get(message.id) ?? [];
      const row = messageRow(message, edits, clients);
      await file.add(row, received.get(message.id) ?? []);
    }
    progress("Messages", file.messages);
  }
  await file.flush();
  return file.messages;
}

async function readPage({ reader }: Snapshot, ids: readonly number[]) {
  const { messages: m, messageEdits: e } = reader.t;
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  const messages = await reader.db
    .select()
    .from(m)
    .where(and(gte(m.id, first), lte(m.id, last)))
    .orderBy(asc(m.id));
  const edits = await reader.db
    .select()
    .from(e)
    .where(and(gte(e.messageId, first), lte(e.messageId, last)))
    .orderBy(asc(e.id));
  return { messages, edits: Map.groupBy(edits, ({ messageId }) => messageId) };
}

function messageRow(message: MessageRow, edits: readonly EditRow[], clients: Clients): ArchiveRow {
  const { id, realmId, senderId, channelId, content, renderedContent, sentAt } = message;
  const { hasLink, hasImage, hasAttachment } = contentsOf(renderedContent);
  const changedAt = Math.max(message.lastEditedAt ?? 0, message.lastMovedAt ?? 0);
  return {
    id,
    realm: realmId,
    type: ordinary,
    sender: senderId,
    ...placeOf(message),
    is_channel_message: channelId !== null,
    content,
    rendered_content: renderedContent,
    rendered_content_version: rendererVersion,
    date_sent: sentAt,
    sending_client: clients.idOf(message.client),
    last_edit_time: changedAt === 0 ? null : changedAt,
    edit_history: edits.length === 0 ? null : JSON.stringify(edits.map(editOf).reverse()),
    has_attachment: hasAttachment,
    has_image: hasImage,
    has_link: hasLink,
  };
}

/** A former state of a message, with the fields that the change has changed. */
const editOf = (edit: EditRow) => ({
  user_id: edit.userId,
  timestamp: edit.editedAt,
  ...(edit.prevContent === null
    ? {}
    : {
        prev_content: edit.prevContent,
        prev_rendered_content: edit.prevRenderedContent ?? "",
        prev_rendered_content_version: rendererVersion,
      }),
  ...(edit.prevTopic === null ? {} : { prev_topic: edit.prevTopic, topic: edit.topic ?? "" }),
  ...(edit.prevChannelId === null
    ? {}
    : { prev_stream: edit.prevChannelId, stream: edit.channelId }),
});

/** The numbered files of messages, each within the limits. */
class MessageFiles {
  messages = 0;
  private number = 0;
  private lastReceivedId = 0;
  private rows: ArchiveRow[] = [];
  private received: ArchiveRow[] = [];

  constructor(private readonly archive: ArchiveFile) {}

  async add(message: ArchiveRow, received: readonly Received[]) {
    this.messages += 1;
    this.rows.push(message);
    for (const { userId, mask } of received) {
      this.lastReceivedId += 1;
      this.received.push({
        id: this.lastReceivedId,
        user_profile: userId,
        message: message["id"],
        flags_mask: mask,
      });
    }
    const isFull = this.rows.length >= messagesPerFile || this.received.length >= receivedPerFile;
    if (isFull) await this.flush();
  }

  async flush() {
    if (this.rows.length === 0) return;
    this.number += 1;
    await this.archive.addTables(`messages-${String(this.number).padStart(6, "0")}.json`, {
      zerver_message: this.rows,
      zerver_usermessage: this.received,
    });
    [this.rows, this.received] = [[], []];
  }
}
