import { topicKey } from "../../../channels/topics/empty-topic";
import { parseColor, plainColor } from "../../../management/subscriptions/colors";
import { renderDescription } from "../../../markdown/render";
import { channelNameOf } from "../channel-name";
import { type Given, givenNumber, givenText } from "../json";
import { mapMarkdown } from "../texts";
import { channelPermissions, nameOfCode, recipientTypes, topicsPolicyCodes } from "./codes";
import { groupSettings, numberedSettings } from "./permissions";
import { personOf, type Source, secondsOf, tableOf } from "./source";
import type { SubscriptionPeriods } from "./subscription-periods";

/** The valid policies for a topic: muted, unmuted, followed. */
const policiesKnown = [1, 2, 3];

/**
 * Imports folders and channels, and notes the recipient of each channel, by which messages name it.
 */
export async function takeChannels(source: Source): Promise<void> {
  const { writer, recipients } = source;
  const folders = new Set<number>();
  for (const [index, one] of tableOf(source, "zerver_channelfolder").entries()) {
    const [id, description] = [givenNumber(one["id"]), givenText(one["description"])];
    folders.add(id);
    await writer.add("channel_folders", {
      id,
      name: givenText(one["name"]),
      description,
      rendered_description: renderDescription(description),
      is_archived: one["is_archived"] === true,
      position: givenNumber(one["order"]) || index,
      creator_id: personOf(source, one["creator"]) ?? null,
      created_at: secondsOf(one["date_created"]),
    });
  }
  const defaults = new Set(
    tableOf(source, "zerver_defaultstream").map((one) => givenNumber(one["stream"])),
  );
  const names = new Set<string>();
  for (const given of tableOf(source, "zerver_stream"))
    await takeChannel(source, given, { folders, defaults, names });
  for (const { id, type, type_id } of tableOf(source, "zerver_recipient")) {
    const target = givenNumber(type_id);
    const userId = personOf(source, target);
    if (type === recipientTypes.person && userId)
      recipients.set(givenNumber(id), { kind: "person", userId });
    if (type === recipientTypes.channel)
      recipients.set(givenNumber(id), { kind: "channel", channelId: target });
    if (type === recipientTypes.group)
      recipients.set(givenNumber(id), { kind: "group", id: target });
  }
}

interface Places {
  folders: ReadonlySet<number>;
  defaults: ReadonlySet<number>;
  names: Set<string>;
}

async function takeChannel(source: Source, given: Given, { folders, defaults, names }: Places) {
  const { writer, channels, report, texts } = source;
  const id = givenNumber(given["id"]);
  const name = id < 1 ? undefined : channelNameOf(givenText(given["name"]), names, report);
  if (name === undefined) {
    report.add("zerver_stream", String(id), "have no id, no name, or a name that is taken");
    return;
  }
  const isPrivate = given["invite_only"] === true;
  const isOpen = !isPrivate || given["history_public_to_subscribers"] === true;
  channels.set(id, { id, name, isProtected: !isOpen });
  const description = mapMarkdown(texts, givenText(given["description"]));
  const folder = givenNumber(given["folder"]);
  const days = givenNumber(given["message_retention_days"]);
  await writer.add("channels", {
    id,
    name,
    name_key: name.toLowerCase(),
    description,
    rendered_description: renderDescription(description),
    invite_only: isPrivate,
    history_public_to_subscribers: isOpen,
    is_default: defaults.has(id) && !isPrivate,
    is_archived: given["deactivated"] === true,
    is_web_public: given["is_web_public"] === true && !isPrivate,
    creator_id: personOf(source, given["creator"]) ?? null,
    folder_id: folders.has(folder) ? folder : null,
    created_at: secondsOf(given["date_created"]),
    settings: channelSettings(source, given),
    topics_policy: nameOfCode(topicsPolicyCodes, given["topics_policy"]) ?? "inherit",
    message_retention_days: days === 0 ? null : days,
  });
}

/**
 * The permissions of a channel as they are stored. In archives from before 10.0 a number, or a mark
 * of channels for announcements, says who may post.
 */
function channelSettings(source: Source, given: Given): string {
  const isForNews = given["is_announcement_only"] === true;
  return JSON.stringify({
    ...(isForNews ? { can_send_message_group: "role:administrators" } : {}),
    ...numberedSettings(source, "zerver_stream", given, channelPermissions),
    ...groupSettings(source, given),
  });
}

/** Imports subscriptions, and notes the members of group conversations. */
export async function takeSubscriptions(source: Source): Promise<void> {
  const { writer, recipients, huddles, channels } = source;
  const taken = new Set<string>();
  for (const given of tableOf(source, "zerver_subscription")) {
    const recipient = recipients.get(givenNumber(given["recipient"]));
    const user_id = personOf(source, given["user_profile"]);
    if (!recipient || !user_id || recipient.kind === "person") continue;
    if (recipient.kind === "group") {
      huddles.set(recipient.id, (huddles.get(recipient.id) ?? new Set()).add(user_id));
      continue;
    }
    const { channelId: channel_id } = recipient;
    if (!channels.has(channel_id) || taken.has(`${user_id} ${channel_id}`)) continue;
    taken.add(`${user_id} ${channel_id}`);
    await writer.add("subscriptions", {
      user_id,
      channel_id,
      is_active: given["active"] === true,
      is_muted: given["is_muted"] === true,
      color: parseColor(givenText(given["color"])) ?? plainColor,
      pin_to_top: given["pin_to_top"] === true,
      ...notifications(given),
    });
  }
}

const notificationColumns = [
  "desktop_notifications",
  "email_notifications",
  "push_notifications",
  "audible_notifications",
  "wildcard_mentions_notify",
];

const notifications = (given: Given) =>
  Object.fromEntries(
    notificationColumns.map((column) => [
      column,
      typeof given[column] === "boolean" ? given[column] : null,
    ]),
  );

/**
 * Imports the periods of subscriptions, so that nobody may read more than before. In a private
 * channel with protected history, people may read the messages of their periods, including those
 * that have ended, because they can read those messages again when they come back.
 */
export async function takePeriods(source: Source, periods: SubscriptionPeriods): Promise<void> {
  const { writer, recipients, channels, lastMessageId } = source;
  const open = { to_message: null, from_log: 0, to_log: null };
  for (const given of tableOf(source, "zerver_subscription")) {
    const recipient = recipients.get(givenNumber(given["recipient"]));
    const user_id = personOf(source, given["user_profile"]);
    if (!user_id || recipient?.kind !== "channel") continue;
    const channel = channels.get(recipient.channelId);
    if (!channel) continue;
    const [isActive, whose] = [given["active"] === true, { user_id, channel_id: channel.id }];
    if (!channel.isProtected) {
      if (isActive)
        await writer.add("subscription_periods", { ...whose, from_message: 0, ...open });
      continue;
    }
    for (const [at, { first, last }] of periods.of(user_id, channel.id).entries()) {
      if (last === null ? !isActive : first === undefined) continue;
      await writer.add("subscription_periods", {
        ...whose,
        from_message: first === undefined ? lastMessageId : Math.min(first - 1, lastMessageId),
        to_message: last === null ? null : Math.min(last, lastMessageId),
        // The event log of the imported organization is new, so only the order of the periods is
        // stored.
        from_log: at,
        to_log: last === null ? null : at + 1,
      });
    }
  }
}

/** Imports people's policies for topics. */
export async function takeTopics(source: Source): Promise<void> {
  const { writer, channels } = source;
  const taken = new Set<string>();
  for (const one of [
    ...tableOf(source, "zerver_usertopic"),
    ...tableOf(source, "zerver_mutedtopic"),
  ]) {
    const [user_id, channel] = [
      personOf(source, one["user_profile"]),
      channels.get(givenNumber(one["stream"])),
    ];
    const topic = givenText(one["topic_name"]);
    const visibility_policy = givenNumber(one["visibility_policy"] ?? 1);
    const key = `${user_id} ${channel?.id} ${topicKey(topic)}`;
    if (!user_id || !channel || taken.has(key) || !policiesKnown.includes(visibility_policy))
      continue;
    taken.add(key);
    await writer.add("user_topics", {
      user_id,
      channel_id: channel.id,
      topic,
      topic_key: topicKey(topic),
      visibility_policy,
      updated_at: secondsOf(one["last_updated"] ?? one["date_muted"]),
    });
  }
}
