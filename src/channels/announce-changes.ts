import type { Audience } from "../core/audience";
import type { Context, RealmMoment, Tx } from "../core/context";
import { resolveGroupSetting, type SystemGroupIds } from "../core/rights/group-setting";
import { systemGroupIds } from "../people/users/system-group-membership";
import { announceVisibilityOf, type Granted } from "./announce-visibility";
import { formOf } from "./archived-events";
import { viewersOf } from "./channel-visibility";
import { channelUpdated } from "./events";
import { grantedViewerIds } from "./granted-viewers";
import { type ChannelSettingValues, holdersOf } from "./group-settings";
import type { ChannelRow } from "./queries";
import { postPolicyOf } from "./wire";

type Update = Omit<Parameters<typeof channelUpdated>[0], "stream_id" | "name">;

/** Announces one change of a channel to everybody who may know it. */
export async function announceUpdate(
  tx: Tx,
  moment: RealmMoment,
  channel: ChannelRow,
  update: Update,
) {
  const event = channelUpdated({
    stream_id: channel.id,
    name: channel.name,
    ...update,
    ...formOf(channel),
  });
  await tx.emit(await viewersOf(tx, moment, channel), event);
}

/**
 * Announces every changed property of a channel, including `settings`. Events: a `stream` update
 * per property, to people who knew the channel and still know it; `stream` create and
 * `subscription` peer_add with its subscribers, to people for whom it becomes visible; `stream`
 * delete, to people for whom it becomes invisible.
 */
export async function announceChanges(
  tx: Tx,
  ctx: Context,
  before: ChannelRow,
  after: ChannelRow,
  settings: ChannelSettingValues,
) {
  const granted: Granted = {
    before: await grantedViewerIds(tx, ctx, before),
    after: await grantedViewerIds(tx, ctx, after),
  };
  const stayers = stayersOf(before, after, granted);
  for (const update of updatesOf(
    before,
    after,
    settings,
    await systemGroupIds(tx, after.realmId),
  )) {
    const name = update.property === "name" ? before.name : after.name;
    await tx.emit(
      stayers,
      channelUpdated({ stream_id: after.id, name, ...update, ...formOf(after) }),
    );
  }
  await announceVisibilityOf(tx, before, after, granted);
}

function updatesOf(
  before: ChannelRow,
  after: ChannelRow,
  settings: ChannelSettingValues,
  ids: SystemGroupIds,
): Update[] {
  const updates: Update[] = [];
  if (after.name !== before.name) updates.push({ property: "name", value: after.name });
  if (after.description !== before.description) {
    const rendered_description = after.renderedDescription;
    updates.push({ property: "description", value: after.description, rendered_description });
  }
  const {
    inviteOnly,
    historyPublicToSubscribers: history_public_to_subscribers,
    isWebPublic: is_web_public,
  } = after;
  const accessNames = ["inviteOnly", "historyPublicToSubscribers", "isWebPublic"] as const;
  if (accessNames.some((name) => after[name] !== before[name])) {
    updates.push({
      property: "invite_only",
      value: inviteOnly,
      history_public_to_subscribers,
      is_web_public,
    });
  }
  if (after.topicsPolicy !== before.topicsPolicy) {
    updates.push({ property: "topics_policy", value: after.topicsPolicy });
  }
  if (after.messageRetentionDays !== before.messageRetentionDays) {
    updates.push({ property: "message_retention_days", value: after.messageRetentionDays });
  }
  if (after.folderId !== before.folderId)
    updates.push({ property: "folder_id", value: after.folderId });
  for (const [name, value] of settings)
    updates.push({ property: name, value: resolveGroupSetting(value, ids) });
  return [...updates, ...postPolicyUpdates(before, after, ids)];
}

/** Updates of the number that older clients read instead of `can_send_message_group`. */
function postPolicyUpdates(before: ChannelRow, after: ChannelRow, ids: SystemGroupIds): Update[] {
  const policyOf = (channel: ChannelRow) =>
    postPolicyOf(resolveGroupSetting(holdersOf(channel, "can_send_message_group"), ids), ids);
  const { postPolicy, isAnnouncementOnly } = policyOf(after);
  if (postPolicy === policyOf(before).postPolicy) return [];
  return [
    { property: "stream_post_policy", value: postPolicy },
    { property: "is_announcement_only", value: isAnnouncementOnly },
  ];
}

function stayersOf(before: ChannelRow, after: ChannelRow, granted: Granted): Audience {
  const isPrivate = before.inviteOnly || after.inviteOnly;
  const isKnownBefore = (id: number) => !before.inviteOnly || granted.before.has(id);
  const isKnownAfter = (id: number) => !after.inviteOnly || granted.after.has(id);
  const also = [...granted.before.union(granted.after)].filter(
    (id) => isKnownBefore(id) && isKnownAfter(id),
  );
  const privacy = before.isWebPublic && after.isWebPublic ? { isWebPublic: true } : {};
  return { to: "channelViewers", channelId: after.id, isPrivate, ...privacy, also };
}
