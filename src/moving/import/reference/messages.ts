import { topicKey } from "../../../channels/topics/empty-topic";
import { renderMarkdown } from "../../../markdown/render";
import { blockOf, emptyBlock, setBit } from "../../../reading/read-blocks";
import type { Progress } from "../../backup/progress";
import { type Given, givenList, givenNumber, givenRecord, givenText } from "../json";
import { mapMarkdown } from "../texts";
import { channelWildcardBit, directTopic, flagBits, readBit } from "./codes";
import { Moves, movedAtOf } from "./moves";
import { personOf, type Recipient, type Source, secondsOf } from "./source";
import { SubscriptionPeriods } from "./subscription-periods";

/** The empty topic that direct messages have, in exports of both older and newer versions. */
const directTopics = ["", directTopic];
const fileForm = /^messages-\d{6}\.json$/;

/** Unread messages, by person, scope and block, as rows of `read_blocks`. */
type Unread = Map<string, { user_id: number; scope: number; block: number; bits: Buffer }>;

/** Facts that are collected while messages are imported. */
export interface MessagesSeen {
  /** Subscription periods in the channels where they limit what people may read. */
  periods: SubscriptionPeriods;
  moves: Moves;
  firstIds: Map<number, number>;
  clients: ReadonlyMap<number, string>;
}

/** Imports all messages, file by file, in order. */
export async function takeMessages(source: Source, progress: Progress): Promise<MessagesSeen> {
  const names = [...source.files.names].filter((name) => fileForm.test(name)).sort();
  const clients = givenList(source.realm["zerver_client"]);
  const seen: MessagesSeen = {
    periods: new SubscriptionPeriods(source),
    moves: new Moves(source),
    firstIds: new Map(),
    clients: new Map(clients.map(({ id, name }) => [givenNumber(id), givenText(name)])),
  };
  const unread: Unread = new Map();
  for (const [index, name] of names.entries()) {
    const given = givenRecord(await source.files.json(name));
    const byMessage = Map.groupBy(givenList(given["zerver_usermessage"]), (one) =>
      givenNumber(one["message"]),
    );
    const messages = givenList(given["zerver_message"]).toSorted(
      (a, b) => givenNumber(a["id"]) - givenNumber(b["id"]),
    );
    for (const message of messages) {
      await takeMessage(
        source,
        seen,
        unread,
        message,
        byMessage.get(givenNumber(message["id"])) ?? [],
      );
    }
    await flushUnread(source, unread, blockOf(source.lastMessageId));
    progress("Messages", index + 1, names.length);
  }
  await flushUnread(source, unread, Number.POSITIVE_INFINITY);
  await seen.moves.settle(seen.periods);
  return seen;
}

async function takeMessage(
  source: Source,
  seen: MessagesSeen,
  unread: Unread,
  given: Given,
  kept: readonly Given[],
) {
  const { writer, report } = source;
  const id = givenNumber(given["id"]);
  if (id <= source.lastMessageId)
    return report.add("zerver_message", String(id), "are repeated or have no id");
  const sender_id = personOf(source, given["sender"]);
  if (sender_id === undefined)
    return report.add("zerver_message", String(id), "have an unknown sender");
  const place = await placeOf(source, given, sender_id);
  if (!place)
    return report.add("zerver_message", String(id), "have an unknown channel or conversation");
  if (typeof given["content"] !== "string")
    return report.add("zerver_message", String(id), "have no content");
  const { channel_id } = place;
  const topic = channel_id === null ? "" : givenText(given["subject"]);
  const content = withUploads(source, mapMarkdown(source.texts, given["content"]));
  const isToAll = kept.some((one) => (givenNumber(one["flags_mask"]) & channelWildcardBit) !== 0);
  const edits = editsOf(given);
  await writer.add("messages", {
    id,
    sender_id,
    ...place,
    sent_channel_id: channel_id,
    placed_at: 0,
    topic,
    topic_key: topicKey(topic),
    content,
    rendered_content: renderMarkdown(content, source.names).html,
    read_by_sender: true,
    client: seen.clients.get(givenNumber(given["sending_client"])) ?? "",
    sent_at: secondsOf(given["date_sent"]),
    mentions_all_of: isToAll ? (channel_id ?? 0) : null,
    ...editTimes(edits),
  });
  source.lastMessageId = id;
  source.messageIds.add(id);
  if (channel_id !== null && !seen.firstIds.has(channel_id)) seen.firstIds.set(channel_id, id);
  for (const edit of edits) await takeEdit(source, id, edit);
  for (const one of kept) await takeFlags(source, unread, one, { id, channelId: channel_id });
  noteReceived(source, seen, kept, { id, channelId: channel_id, movedAt: movedAtOf(edits) });
}

async function placeOf(source: Source, given: Given, senderId: number) {
  const recipient = source.recipients.get(givenNumber(given["recipient"]));
  if (recipient?.kind === "channel") {
    const { channelId } = recipient;
    return source.channels.has(channelId)
      ? { channel_id: channelId, conversation_id: null }
      : undefined;
  }
  const userIds = recipientsOf(source, recipient, senderId);
  if (userIds.length === 0 || !directTopics.includes(givenText(given["subject"]))) return undefined;
  return { channel_id: null, conversation_id: await conversationOf(source, userIds) };
}

/**
 * The ids of the people of a direct message, including its sender; empty where they are unknown.
 */
export function recipientsOf(
  { huddles }: Source,
  recipient: Recipient | undefined,
  senderId: number,
): number[] {
  const people = recipient?.kind === "person" ? [recipient.userId, senderId] : undefined;
  const huddle = recipient?.kind === "group" ? huddles.get(recipient.id) : undefined;
  return [...new Set(people ?? huddle ?? [])].sort((a, b) => a - b);
}

async function conversationOf(
  { conversations, writer }: Source,
  userIds: readonly number[],
): Promise<number> {
  const user_ids = userIds.join(",");
  const existingId = conversations.get(user_ids);
  if (existingId !== undefined) return existingId;
  const id = writer.nextId("conversations");
  conversations.set(user_ids, id);
  await writer.add("conversations", { id, user_ids });
  for (const user_id of userIds)
    await writer.add("conversation_members", { user_id, conversation_id: id });
  return id;
}

/** Text in which the addresses of uploaded files are replaced by the new ones. */
export const withUploads = ({ uploads }: Source, content: string): string =>
  content.includes("/user_uploads/")
    ? content.replace(/\/user_uploads\/(?:thumbnail\/)?([^\s)"'<>\]]+)/g, (whole, path: string) => {
        const file =
          uploads.get(decoded(path).replace(/^\d+/, "")) ?? uploads.get(path.replace(/^\d+/, ""));
        return file ? `/user_uploads/${file.pathId}` : whole;
      })
    : content;

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The changes of a message, oldest first. */
function editsOf(given: Given): Given[] {
  const text = givenText(given["edit_history"]);
  if (text === "") return [];
  try {
    return givenList(JSON.parse(text)).toReversed();
  } catch {
    return [];
  }
}

function editTimes(edits: readonly Given[]) {
  const newest = (isSuch: (edit: Given) => boolean) => {
    const edit = edits.findLast(isSuch);
    return edit ? secondsOf(edit["timestamp"]) : null;
  };
  return {
    last_edited_at: newest((edit) => "prev_content" in edit),
    last_moved_at: newest(
      (edit) => "prev_topic" in edit || "prev_subject" in edit || "prev_stream" in edit,
    ),
  };
}

async function takeEdit(source: Source, message_id: number, edit: Given) {
  const { writer, channels, texts, names } = source;
  const user_id = personOf(source, edit["user_id"]);
  if (user_id === undefined) return;
  const before =
    typeof edit["prev_content"] === "string"
      ? withUploads(source, mapMarkdown(texts, edit["prev_content"]))
      : null;
  const text = (...values: unknown[]) => values.find((value) => typeof value === "string");
  const channel = (value: unknown) => channels.get(givenNumber(value))?.id ?? null;
  const [prev_topic, topic] = [text(edit["prev_topic"], edit["prev_subject"]), text(edit["topic"])];
  await writer.add("message_edits", {
    id: writer.nextId("message_edits"),
    message_id,
    user_id,
    edited_at: secondsOf(edit["timestamp"]),
    prev_content: before,
    prev_rendered_content: before === null ? null : renderMarkdown(before, names).html,
    prev_topic: givenOrNull(prev_topic),
    topic: givenOrNull(topic),
    prev_channel_id: channel(edit["prev_stream"]),
    channel_id: channel(edit["stream"]),
  });
}

const givenOrNull = (value: unknown) => (typeof value === "string" ? value : null);

async function takeFlags(
  source: Source,
  unread: Unread,
  kept: Given,
  { id, channelId }: { id: number; channelId: number | null },
) {
  const user_id = personOf(source, kept["user_profile"]);
  if (user_id === undefined) return;
  const mask = givenNumber(kept["flags_mask"]);
  for (const [bit, flag] of flagBits) {
    if ((mask & bit) !== 0)
      await source.writer.add("message_flags", { user_id, message_id: id, flag });
  }
  if ((mask & readBit) === 0) noteUnread(unread, user_id, channelId ?? 0, id);
}

/**
 * Notes who has received a message of a private channel with protected history, because people may
 * read only received messages there.
 */
function noteReceived(
  source: Source,
  { periods, moves }: MessagesSeen,
  kept: readonly Given[],
  {
    id,
    channelId,
    movedAt,
  }: { id: number; channelId: number | null; movedAt?: number | undefined },
) {
  if (channelId === null || !source.channels.get(channelId)?.isProtected) return;
  if (movedAt !== undefined) return moves.add({ id, channelId, movedAt }, kept);
  for (const one of kept) {
    const userId = personOf(source, one["user_profile"]);
    if (userId !== undefined) periods.note(userId, channelId, id);
  }
}

function noteUnread(unread: Unread, user_id: number, scope: number, id: number) {
  const block = blockOf(id);
  const key = `${user_id} ${scope} ${block}`;
  const row = unread.get(key) ?? { user_id, scope, block, bits: emptyBlock() };
  unread.set(key, row);
  setBit(row.bits, id);
}

/** Writes the blocks before the given one, because no further messages belong to them. */
async function flushUnread({ writer }: Source, unread: Unread, before: number) {
  for (const [key, row] of unread) {
    if (row.block >= before) continue;
    unread.delete(key);
    await writer.add("read_blocks", { ...row });
  }
}
