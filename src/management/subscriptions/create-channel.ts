import { Type } from "@sinclair/typebox";
import { channelGroupSettings } from "../../channels/group-settings";
import { readRetention } from "../../channels/parameters";
import type { ChannelRow } from "../../channels/queries";
import { topicsPolicies } from "../../channels/topics-policy";
import type { Context, Person } from "../../core/context";
import {
  either,
  flag,
  type Input,
  id,
  ids,
  integer,
  optional,
  record,
  text,
  word,
} from "../../core/params";
import {
  givenPermissions,
  groupSettingParameter,
  permissionParameters,
} from "../../core/rights/group-setting";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { cleanDescription, renderDescriptions } from "../../realm/descriptions";
import { type ChannelToCreate, createChannel, prepareChannel } from "../channels/create";
import { type NoticeWishes, sendNotices } from "./notices";
import { loadPrincipals, type Principal, requireNoSystemBot } from "./principals";
import { subscribeUsers } from "./subscribe";

export interface NewChannel {
  channel: ChannelToCreate;
  /** Its first subscribers. */
  subscribers: readonly Principal[];
  notices: NoticeWishes;
}

/**
 * Creates a channel with its first subscribers; answers its row. Announces the events of
 * `createChannel`, `subscribeUsers` and `sendNotices`. Refuses a name that is taken, an actor who
 * may not make such a channel, missing subscribers, and the system's bots among these.
 */
export async function createNewChannel(ctx: Context, input: NewChannel): Promise<ChannelRow> {
  const description = cleanDescription(input.channel.description ?? "");
  const prepared = prepareChannel(
    { ...input.channel, description },
    await renderDescriptions([description]),
  );
  return write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const people = await loadPrincipals(tx, renewed, input.subscribers);
    requireNoSystemBot(people);
    const channel = await createChannel(tx, renewed, prepared);
    const userIds = people.map(({ id }) => id);
    const { subscribed } = await subscribeUsers(tx, renewed, [channel], userIds);
    const after = { subscriber_ids: userIds };
    tx.audit(renewed, { action: "channel.create", kind: "channel", ids: [channel.id], after });
    await sendNotices(tx, renewed, { created: [channel], subscribed }, input.notices);
    return channel;
  });
}

export const CreateChannel = record({
  name: text(),
  description: optional(text()),
  subscribers: ids(),
  announce: optional(flag()),
  inviteOnly: optional(flag()),
  isWebPublic: optional(flag()),
  isDefaultStream: optional(flag()),
  folderId: optional(Type.Union([id(), Type.Null()])),
  sendNewSubscriptionMessages: optional(flag()),
  topicsPolicy: optional(word(...topicsPolicies)),
  historyPublicToSubscribers: optional(flag()),
  messageRetentionDays: optional(either(integer(), text())),
  ...permissionParameters(channelGroupSettings, groupSettingParameter),
});

/**
 * Creates a channel by the parameters of a request; answers the channel's id. Source:
 * `docs/protocol/specification.md`, POST /channels/create.
 */
export async function createChannelWith(
  ctx: Context<Person>,
  input: Input<typeof CreateChannel>,
): Promise<{ id: number }> {
  const {
    name,
    description,
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers,
    topicsPolicy,
    folderId,
  } = input;
  const channel = await createNewChannel(ctx, {
    channel: {
      name,
      description,
      inviteOnly,
      isWebPublic,
      historyPublicToSubscribers,
      topicsPolicy,
      folderId,
      isDefault: input.isDefaultStream,
      messageRetentionDays: readRetention(input.messageRetentionDays),
      settings: givenPermissions(channelGroupSettings, input),
    },
    subscribers: input.subscribers,
    notices: {
      announce: input.announce ?? false,
      tellSubscribed: input.sendNewSubscriptionMessages ?? true,
    },
  });
  return { id: channel.id };
}
