import { isLonger } from "../../../core/text/name";
import {
  emojiTypeOf,
  extraEmojiType,
  realmEmojiType,
  unicodeEmojiType,
} from "../../../emoji/emoji-types";
import { renderMarkdown } from "../../../markdown/render";
import { fragmentLengthMax, viewNameLengthMax } from "../../../own/navigation-views/service";
import { lengthsMax } from "../../../protocol/limits";
import { type Given, givenList, givenNumber, givenText } from "../json";
import { mapMarkdown, mapNarrow } from "../texts";
import { toBeSent } from "./codes";
import { recipientsOf, withUploads } from "./messages";
import { ownIds, personOf, type Source, secondsOf, tableOf } from "./source";

/**
 * Imports people's own data other than messages: statuses, the time of their last activity, views
 * of their navigation, onboarding hints that they have seen, and scheduled messages. Counts
 * everything that chatd cannot store.
 */
export async function takeKeptThings(source: Source): Promise<void> {
  await takeStatuses(source);
  await takePresences(source);
  await takeViews(source);
  await takeSteps(source);
  await takeScheduled(source);
  for (const [table, why] of Object.entries(withoutPlace))
    for (const one of tableOf(source, table))
      source.report.add(table, givenText(one["id"]) || givenNumber(one["id"]), why);
}

const withoutPlace = {
  zerver_service: "belong to bots with a service, whose tokens no archive contains",
  zerver_botstoragedata: "belong to bots, whose stored data is not imported",
  zerver_botconfigdata: "belong to bots, whose stored data is not imported",
  zerver_externalauthid: "belong to external services for signing in, which are not imported",
};

/**
 * Columns for an emoji; undefined for an unknown emoji. The organization's own emoji are found by
 * their ids, because an emoji that is deactivated may have the name of another one.
 */
export function emojiOf({ emoji, emojiIds }: Source, one: Given) {
  const [emoji_name, code] = [givenText(one["emoji_name"]), givenText(one["emoji_code"])];
  const reaction_type = emojiTypeOf(givenText(one["reaction_type"]) || unicodeEmojiType);
  if (reaction_type === realmEmojiType) {
    const id = /^\d+$/.test(code) ? Number(code) : emoji.get(emoji_name)?.id;
    if (id === undefined || !emojiIds.has(id)) return undefined;
    return { emoji_name, emoji_code: String(id), reaction_type };
  }
  if (reaction_type !== unicodeEmojiType && reaction_type !== extraEmojiType) return undefined;
  return { emoji_name, emoji_code: code, reaction_type };
}

/** The beginning of a text, with at most `lengthMax` code points. */
const cut = (text: string, lengthMax: number) =>
  isLonger(text, lengthMax) ? [...text].slice(0, lengthMax).join("") : text;

const noEmoji = { emoji_name: "", emoji_code: "", reaction_type: unicodeEmojiType };

async function takeStatuses(source: Source) {
  for (const one of tableOf(source, "zerver_userstatus")) {
    const user_id = personOf(source, one["user_profile"]);
    const status_text = cut(givenText(one["status_text"]).trim(), lengthsMax.status);
    const hasEmoji = givenText(one["emoji_name"]) !== "";
    const emoji = hasEmoji ? emojiOf(source, one) : undefined;
    const isEmpty = status_text === "" && !hasEmoji;
    if (isEmpty) continue;
    if (!user_id || (hasEmoji && !emoji))
      source.report.add(
        "zerver_userstatus",
        givenNumber(one["user_profile"]),
        "have an unknown emoji or person",
      );
    if (!user_id || (status_text === "" && !emoji)) continue;
    const row = { user_id, status_text, ...(emoji ?? noEmoji), ends_at: null };
    await source.writer.add("user_statuses", row);
  }
}

async function takePresences(source: Source) {
  for (const [index, one] of tableOf(source, "zerver_userpresence").entries()) {
    const user_id = personOf(source, one["user_profile"]);
    const activeAt = secondsOf(one["last_active_time"]);
    const connectedAt = Math.max(activeAt, secondsOf(one["last_connected_time"]));
    // A person who was never present has no row here, so no data is lost and it is not reported.
    if (connectedAt <= 0) continue;
    if (!user_id) {
      const id = givenNumber(one["user_profile"]);
      source.report.add("zerver_userpresence", id, "belong to an unknown person");
      continue;
    }
    await source.writer.add("user_presences", {
      user_id,
      active_at: activeAt > 0 ? activeAt : null,
      connected_at: connectedAt,
      update_id: index + 1,
    });
  }
}

async function takeViews(source: Source) {
  for (const one of tableOf(source, "zerver_navigationview")) {
    const user_id = personOf(source, one["user"]);
    const given = givenText(one["fragment"]).trim();
    const fragment = given.startsWith("narrow/")
      ? `narrow/${mapNarrow(source.texts, given.slice("narrow/".length))}`
      : given;
    if (!user_id || fragment === "" || isLonger(fragment, fragmentLengthMax)) {
      const why = "have an unknown person, or an address that is empty or too long";
      source.report.add("zerver_navigationview", givenNumber(one["id"]), why);
      continue;
    }
    const name = cut(givenText(one["name"]).trim(), viewNameLengthMax);
    const row = { user_id, fragment, is_pinned: one["is_pinned"] === true };
    await source.writer.add("navigation_views", { ...row, name: name === "" ? null : name });
  }
}

async function takeSteps(source: Source) {
  for (const one of tableOf(source, "zerver_onboardingstep")) {
    const [user_id, name] = [personOf(source, one["user"]), givenText(one["onboarding_step"])];
    if (user_id && /^[a-z_]{1,100}$/.test(name))
      await source.writer.add("onboarding_steps", { user_id, name });
    else source.report.add("zerver_onboardingstep", name, "have an unknown person or name");
  }
}

/**
 * Imports scheduled messages. One whose time has passed is not sent: it is shown to its author as
 * not sent, and the author decides.
 */
async function takeScheduled(source: Source) {
  const { app, writer, report } = source;
  const clients = new Map(
    givenList(source.realm["zerver_client"]).map((one) => [one["id"], givenText(one["name"])]),
  );
  for (const one of tableOf(source, "zerver_scheduledmessage")) {
    if (one["delivered"] === true) continue;
    const why = whyNotScheduled(one);
    const user_id = personOf(source, one["sender"]);
    const place = user_id === undefined ? undefined : placeOf(source, one, user_id);
    const content = withUploads(source, mapMarkdown(source.texts, givenText(one["content"])));
    const isLong = isLonger(content, lengthsMax.message);
    if (why !== undefined || user_id === undefined || !place || content.trim() === "" || isLong) {
      const reason = why ?? "have an unknown sender, an unknown place or no text";
      report.add("zerver_scheduledmessage", givenNumber(one["id"]), reason);
      continue;
    }
    const deliver_at = secondsOf(one["scheduled_timestamp"]);
    await writer.add("scheduled_messages", {
      id: writer.nextId("scheduled_messages"),
      user_id,
      ...place,
      content,
      rendered_content: renderMarkdown(content, source.names).html,
      client: clients.get(one["sending_client"]) ?? "",
      read_by_sender: one["read_by_sender"] !== false,
      deliver_at,
      has_failed: one["failed"] === true || deliver_at <= app.clock.now(),
    });
  }
}

const whyNotScheduled = ({ delivery_type }: Given): string | undefined =>
  delivery_type === undefined || delivery_type === toBeSent ? undefined : "are reminders";

function placeOf(source: Source, one: Given, senderId: number) {
  const recipient = source.recipients.get(givenNumber(one["recipient"]));
  if (recipient?.kind === "channel") {
    const { channelId } = recipient;
    const topic = cut(givenText(one["subject"]), lengthsMax.topic);
    return source.channels.has(channelId)
      ? { channel_id: channelId, topic, user_ids: null }
      : undefined;
  }
  const all = recipientsOf(source, recipient, senderId).filter((id) => id > ownIds);
  const others = all.filter((id) => id !== senderId);
  if (all.length === 0) return undefined;
  const user_ids = JSON.stringify(others.length === 0 ? [senderId] : others);
  return { channel_id: null, topic: "", user_ids };
}
