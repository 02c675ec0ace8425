import { topicKey } from "../../../channels/topics/empty-topic";
import { isOpenTo } from "../../../core/reading-right/predicate";
import type { Names } from "../../../markdown/names";
import { type RenderedMarkdown, renderMarkdown } from "../../../markdown/render";
import { mentionsAllOf } from "../../../messages/attention/text-flags";
import { lengthsMax } from "../../../protocol/limits";
import { emojiPath } from "../../../realm/realm-emoji/queries";
import { type Given, givenList, givenRecord, givenText, givenTexts } from "../json";
import type { StagedRow } from "../stage-writer";
import { contentOf } from "./content";
import type { SlackFiles } from "./files";
import { personWith, senderOf } from "./people";
import { splitText } from "./split-text";
import { type ThreadTopics, timeForm } from "./topics";
import type { SlackPerson, SlackPlace, Workspace } from "./workspace";

/**
 * Subtypes of messages that only report an event, such as that somebody has joined. They are not
 * imported.
 */
const skippedKinds =
  /^(?:(?:channel|group|mpim)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private|convert_to_public)|(?:un)?pinned_item|bot_(?:add|remove|enable|disable)|tombstone|reminder_add|sh_room_created|joiner_notification.*|huddle_thread|assistant_app_thread)$/;

const clientName = "Slack";

/** Facts about the messages that were imported so far. */
export interface Progressing {
  topics: ThreadTopics;
  firstIds: Map<number, number>;
  lastId: number;
  files: SlackFiles;
}

/** A message and its place. */
export interface DatedMessage {
  message: Given;
  place: SlackPlace;
  /**
   * Time in the form of Slack: seconds, a dot, and a number that distinguishes messages of one
   * second.
   */
  ts: string;
}

/** Imports a message. A message without a known sender is skipped and reported. */
export async function addMessage(
  workspace: Workspace,
  so: Progressing,
  { message, place, ts }: DatedMessage,
) {
  const { report } = workspace;
  const which = `${place.folder} ${ts}`;
  const kind = givenText(message["subtype"]);
  if (skippedKinds.test(kind))
    return report.add("messages", which, `only report an event of the kind ${kind}`);
  const sentAt = Math.floor(Number(ts));
  if (!timeForm.test(ts)) return report.add("messages", which, "have no time");
  const sender = await senderOf(workspace, message);
  if (!sender) return report.add("messages", which, "have an unknown sender");
  const files = await so.files.ofMessage(sender.id, message, which);
  const content = contentOf(workspace, message, files.lines, which);
  if (content === "") return report.add("messages", which, "are empty");
  const topic = place.channelId === null ? "" : so.topics.of(place, message, ts, content);
  const row = {
    sender_id: sender.id,
    channel_id: place.channelId,
    sent_channel_id: place.channelId,
    placed_at: 0,
    conversation_id: place.conversationId,
    topic,
    topic_key: topicKey(topic),
    client: clientName,
    sent_at: sentAt,
    read_by_sender: true,
    last_edited_at: editedAt(message),
  };
  const ids = await addParts(workspace, place, row, splitText(content, lengthsMax.message));
  const [firstId = 0, lastId = firstId] = [ids[0], ids.at(-1)];
  so.lastId = lastId;
  if (place.channelId !== null && !so.firstIds.has(place.channelId))
    so.firstIds.set(place.channelId, firstId);
  // The last lines of the content link to the files, so the files belong to the last part.
  for (const attachment_id of files.attachmentIds) {
    await workspace.writer.add("attachment_messages", { attachment_id, message_id: lastId });
  }
  await addReactions(workspace, message, firstId, which);
}

/**
 * Adds a message with its mentions, as several messages where its content is longer than a message
 * may be; answers their ids.
 */
async function addParts(
  workspace: Workspace,
  place: SlackPlace,
  row: StagedRow,
  parts: readonly string[],
): Promise<number[]> {
  const { writer, byId } = workspace;
  const ids: number[] = [];
  for (const content of parts) {
    const id = writer.nextId("messages");
    const { html: rendered_content, mentions } = render(workspace, content);
    const mentions_all_of = mentionsAllOf({ sentChannelId: place.channelId }, mentions);
    await writer.add("messages", { id, ...row, content, rendered_content, mentions_all_of });
    for (const user_id of mentions.people) {
      if (isReachedIn(place, byId.get(user_id)))
        await writer.add("message_flags", { user_id, message_id: id, flag: "mentioned" });
    }
    ids.push(id);
  }
  return ids;
}

/** Whether a mention reaches somebody: they have received the messages of a place, or read them. */
const isReachedIn = (place: SlackPlace, person: SlackPerson | undefined): boolean =>
  person !== undefined &&
  (place.memberIds.has(person.id) ||
    isOpenTo(person.role, { inviteOnly: place.isPrivate, isWebPublic: false }));

const editedAt = (message: Given): number | null =>
  Math.floor(Number(givenText(givenRecord(message["edited"])["ts"]))) || null;

/** A text as HTML, in which people and channels have their ids here, and whom it mentions. */
function render({ byId, channelIds, emoji, writer }: Workspace, content: string): RenderedMarkdown {
  const names: Names = {
    person: (_, id) => byId.get(id ?? 0),
    channel: (name) => {
      const id = channelIds.get(name);
      return id === undefined ? undefined : { id, name };
    },
    emoji(name) {
      const file = emoji.fileNamed(name);
      return file === undefined ? undefined : { url: emojiPath(writer.realmId, file) };
    },
  };
  return renderMarkdown(content, names);
}

async function addReactions(workspace: Workspace, message: Given, id: number, which: string) {
  const { writer, report } = workspace;
  for (const reaction of givenList(message["reactions"])) {
    const emojiRow = workspace.emoji.reactionWith(givenText(reaction["name"]));
    if (!emojiRow) {
      report.add("reactions", `${which} ${givenText(reaction["name"])}`, "have an unknown emoji");
      continue;
    }
    for (const key of new Set(givenTexts(reaction["users"]))) {
      const user_id = (await personWith(workspace, key)).id;
      await writer.add("reactions", {
        id: writer.nextId("reactions"),
        message_id: id,
        user_id,
        ...emojiRow,
      });
    }
  }
}
