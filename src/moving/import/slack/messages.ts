import { topicKey } from "../../../channels/topics/empty-topic";
import { unicodeEmojiType } from "../../../emoji/emoji-types";
import { emojiCode, emojiNames } from "../../../emoji/table";
import type { Names } from "../../../markdown/names";
import { renderMarkdown } from "../../../markdown/render";
import { type Given, givenList, givenNumber, givenRecord, givenText, givenTexts } from "../json";
import type { SlackFiles } from "./files";
import { markdownOfSlack, withoutTokens } from "./text";
import { knownEmoji, namesIn, type SlackPlace, senderOf, type Workspace } from "./workspace";

/** Kinds of messages that only report an event. */
const skippedKinds =
  /^(?:(?:channel|group|mpim)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private|convert_to_public)|(?:un)?pinned_item|bot_(?:add|remove|enable|disable)|tombstone|reminder_add|sh_room_created|joiner_notification.*|huddle_thread|assistant_app_thread)$/;

const timeForm = /^\d{9,11}\.\d{1,9}$/;
const contentLengthMax = 10_000;
/** Topic of messages outside threads. */
const mainTopic = "imported from Slack";
const clientName = "Slack";

/** Facts about the messages so far. */
export interface Progressing {
  /** The topics of threads, by place and the thread's time. */
  topics: Map<string, string>;
  /** Number of threads that began on a day, by place. */
  threads: Map<string, number>;
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

/** Imports a message; one without a known sender is skipped and reported. */
export async function addMessage(
  workspace: Workspace,
  so: Progressing,
  { message, place, ts }: DatedMessage,
) {
  const { report } = workspace;
  const which = `${place.folder} ${ts}`;
  const kind = givenText(message["subtype"]);
  if (skippedKinds.test(kind)) return report.add("messages", which, `are no messages but ${kind}`);
  const sentAt = Math.floor(Number(ts));
  if (!timeForm.test(ts)) return report.add("messages", which, "have no time");
  const sender = await senderOf(workspace, message);
  if (!sender) return report.add("messages", which, "have no sender who is known");
  const files = await so.files.ofMessage(sender.id, message, which);
  const content = contentOf(workspace, message, files.lines);
  if (content === "") return report.add("messages", which, "are empty");
  const id = workspace.writer.nextId("messages");
  const topic = place.channelId === null ? "" : topicOf(so, place, message, ts);
  const rendered_content = render(workspace, content);
  await workspace.writer.add("messages", {
    id,
    sender_id: sender.id,
    channel_id: place.channelId,
    sent_channel_id: place.channelId,
    placed_at: 0,
    conversation_id: place.conversationId,
    topic,
    topic_key: topicKey(topic),
    content,
    rendered_content,
    client: clientName,
    sent_at: sentAt,
    read_by_sender: true,
    last_edited_at: editedAt(message),
  });
  so.lastId = id;
  if (place.channelId !== null && !so.firstIds.has(place.channelId))
    so.firstIds.set(place.channelId, id);
  for (const attachment_id of files.attachmentIds) {
    await workspace.writer.add("attachment_messages", { attachment_id, message_id: id });
  }
  await addReactions(workspace, message, id, which);
}

const editedAt = (message: Given): number | null =>
  Math.floor(Number(givenText(givenRecord(message["edited"])["ts"]))) || null;

/** Each thread is a topic of its own, named by its day; all other messages are in one topic. */
function topicOf(
  { topics, threads }: Progressing,
  { folder }: SlackPlace,
  message: Given,
  ts: string,
): string {
  const root = givenText(message["thread_ts"]);
  const isThread = timeForm.test(root) && (root !== ts || givenNumber(message["reply_count"]) > 0);
  if (!isThread) return mainTopic;
  const key = `${folder} ${root}`;
  const existing = topics.get(key);
  if (existing !== undefined) return existing;
  const day = new Date(Number(root) * 1_000).toISOString().slice(0, 10);
  const count = (threads.get(`${folder} ${day}`) ?? 0) + 1;
  threads.set(`${folder} ${day}`, count);
  const topic = `${day} Slack thread ${count}`;
  topics.set(key, topic);
  return topic;
}

function contentOf(workspace: Workspace, message: Given, fileLines: readonly string[]): string {
  const names = namesIn(workspace);
  const text = markdownOfSlack(givenText(message["text"]), names);
  const own = givenText(message["subtype"]) === "me_message" ? `/me ${text}` : text;
  const shared =
    own === "" ? givenList(message["attachments"]).map((one) => attachedText(one)) : [];
  const lines = shared.map((line) => markdownOfSlack(line, names));
  const whole = [own, ...lines, ...fileLines].filter((part) => part !== "").join("\n");
  return [...withoutTokens(whole)].slice(0, contentLengthMax).join("");
}

/** Text that programs show with, or instead of, the message's text. */
function attachedText(attached: Given): string {
  const [pretext, title, link, text, fallback] = [
    "pretext",
    "title",
    "title_link",
    "text",
    "fallback",
  ].map((name) => givenText(attached[name]));
  const heading = link && title ? `<${link}|${title}>` : (title ?? "");
  return [pretext, heading, text].filter(Boolean).join("\n") || (fallback ?? "");
}

/** The HTML of a text with the mapped people and channels. */
function render({ byId, channelIds }: Workspace, content: string): string {
  const names: Names = {
    person: (_, id) => byId.get(id ?? 0),
    channel: (name) => {
      const id = channelIds.get(name);
      return id === undefined ? undefined : { id, name };
    },
  };
  return renderMarkdown(content, names).html;
}

async function addReactions(
  { writer, people, emojiAliases, report }: Workspace,
  message: Given,
  id: number,
  which: string,
) {
  for (const reaction of givenList(message["reactions"])) {
    const code = emojiCode(knownEmoji(emojiAliases, givenText(reaction["name"])) ?? "");
    const [emoji_name] = emojiNames(code ?? "");
    if (code === undefined || emoji_name === undefined) {
      report.add(
        "reactions",
        `${which} ${givenText(reaction["name"])}`,
        "have an emoji that is not known",
      );
      continue;
    }
    for (const key of new Set(givenTexts(reaction["users"]))) {
      const user_id = people.get(key)?.id;
      if (user_id === undefined) continue;
      const emojiRow = { emoji_name, emoji_code: code, reaction_type: unicodeEmojiType };
      await writer.add("reactions", {
        id: writer.nextId("reactions"),
        message_id: id,
        user_id,
        ...emojiRow,
      });
    }
  }
}
