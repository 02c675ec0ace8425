import type { Context, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { cleanName, isLonger } from "../core/name";
import { renderMarkdown } from "../markdown/render";
import { announceDefaults } from "./default-channels";
import { describeChannels } from "./describe";
import { channelsAppeared } from "./events";
import { channelCreatorSettings } from "./group-settings";
import { mayChooseDefaults, mayCreateChannel } from "./permissions";
import { type ChannelRow, channelKey } from "./queries";

export interface ChannelToCreate {
  name: string;
  description?: string | undefined;
  /** Private: known to its subscribers and the administrators, read by its subscribers. */
  inviteOnly?: boolean | undefined;
  /** Whether new subscribers may read what was sent before. A public channel's history is always open. */
  historyPublicToSubscribers?: boolean | undefined;
  isDefault?: boolean | undefined;
}

/** A channel that only needs its place in the database. */
export type PreparedChannel = Pick<
  ChannelRow,
  "name" | "nameKey" | "description" | "renderedDescription" | "inviteOnly" | "historyPublicToSubscribers" | "isDefault"
>;

const nameLengthMax = 60;
const descriptionLengthMax = 1024;

/** A channel's name as it is stored. Refuses one that is blank, has control characters or more than 60 code points. */
export const cleanChannelName = (name: string): string => cleanName("The channel's name", name, nameLengthMax);

/** A description as it is stored, with its HTML: one line, at most 1,024 code points. */
export function prepareDescription(text: string): Pick<ChannelRow, "description" | "renderedDescription"> {
  if (isLonger(text, descriptionLengthMax)) {
    throw badRequest(`The channel's description is too long: at most ${descriptionLengthMax} characters.`);
  }
  const description = text
    .toWellFormed()
    .replaceAll("\0", "")
    .replace(/\r\n|[\r\n]/g, " ");
  return { description, renderedDescription: description === "" ? "" : renderMarkdown(description).html };
}

/**
 * The part of creating a channel that needs no database. A private channel keeps its history from newcomers unless told
 * otherwise. With protected history `can_create_topic_group` must be everyone, as it is in every new channel.
 */
export function prepareChannel(input: ChannelToCreate): PreparedChannel {
  const name = cleanChannelName(input.name);
  const inviteOnly = input.inviteOnly ?? false;
  const isDefault = input.isDefault ?? false;
  if (inviteOnly && isDefault) throw badRequest("A private channel cannot be a default channel.");
  return {
    name,
    nameKey: channelKey(name),
    ...prepareDescription(input.description ?? ""),
    inviteOnly,
    historyPublicToSubscribers: !inviteOnly || (input.historyPublicToSubscribers ?? false),
    isDefault,
  };
}

/**
 * Makes a channel that nobody is subscribed to yet. Announces `stream` create to those who may know it (of a private one
 * the administrators; its subscribers hear of it when they are subscribed), and `default_streams` for a default channel.
 * Refuses an actor who may not create such a channel and a name that is taken.
 */
export async function createChannel(tx: Tx, ctx: Context, prepared: PreparedChannel): Promise<ChannelRow> {
  const { realm, actor } = ctx;
  if (!(await mayCreateChannel(tx, ctx, prepared.inviteOnly))) {
    throw badRequest(`You may not create ${prepared.inviteOnly ? "private" : "public"} channels.`);
  }
  if (prepared.isDefault && !mayChooseDefaults(ctx)) {
    throw badRequest("Only administrators may create default channels.");
  }
  const creatorId = "user" in actor ? actor.user.id : null;
  const settings = creatorId === null ? {} : channelCreatorSettings(creatorId);
  const [channel] = await tx.db
    .insert(tx.t.channels)
    .values({ ...prepared, realmId: realm.id, creatorId, settings: JSON.stringify(settings), createdAt: tx.now })
    .onConflictDoNothing()
    .returning();
  if (!channel) throw badRequest(`Channel '${prepared.name}' already exists.`);
  const streams = await describeChannels(tx, realm.id, [channel], new Map());
  await tx.emit(
    { to: "channelViewers", channelId: channel.id, isPrivate: channel.inviteOnly },
    channelsAppeared({ streams }),
  );
  if (channel.isDefault) await announceDefaults(tx, realm.id);
  return channel;
}
