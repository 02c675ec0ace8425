import { loadAddressForOperator, renewChannelAddresses } from "../../src/channels/email-address";
import { channelGroupSettings } from "../../src/channels/group-settings";
import { readRetention } from "../../src/channels/parameters";
import { findChannelByName, loadKnownChannel } from "../../src/channels/queries";
import type { TopicsPolicy } from "../../src/channels/topics-policy";
import type { Context } from "../../src/core/context";
import { badRequest } from "../../src/core/errors";
import { cleanChannelName } from "../../src/management/channels/create";
import { archiveNamed, changeChannel, unarchiveNamed } from "../../src/management/channels/edit";
import { getChannel, listAllChannels } from "../../src/management/channels/service";
import { createNewChannel } from "../../src/management/subscriptions/create-channel";
import { removeSubscriptions } from "../../src/management/subscriptions/remove";
import { addSubscriptions } from "../../src/management/subscriptions/service";
import { loadAccount, loadChannelId, loadFolderId } from "../../src/moving/organization/lookup";
import { printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";
import { readPermissions } from "../permissions";
import { readValue } from "../read-value";

type SettingOptions = RealmOptions & {
  description?: string;
  private?: boolean;
  webPublic?: boolean;
  sharedHistory?: boolean;
  default?: boolean;
  topicsPolicy?: TopicsPolicy;
  retention?: string;
  folder?: string;
  permission?: string[];
};

/** A channel after a command, in the form of the protocol. */
async function shown(ctx: Context, streamId: number) {
  const { stream } = await getChannel(ctx, { streamId });
  if (!stream) throw new Error(`The channel ${streamId} is gone.`);
  return stream;
}

type Shown = Awaited<ReturnType<typeof shown>>;

const permissions = { of: "channels", table: channelGroupSettings };

const retentionOf = ({ retention }: SettingOptions) =>
  readValue(() =>
    readRetention(
      retention !== undefined && /^-?\d+$/.test(retention) ? Number(retention) : retention,
    ),
  );

/** The named folder; an empty name means no folder. */
const folderOf = async (ctx: Context, { folder }: SettingOptions) =>
  folder === "" ? null : folder === undefined ? undefined : loadFolderId(ctx, folder);

/** `chatd admin channel list [--archived]` */
export async function listChannels(options: RealmOptions & { archived?: boolean }) {
  const all = await withOperator(options, listAllChannels);
  const channels = all.filter(({ is_archived }) => options.archived || !is_archived);
  const rows = channels.map((channel) => [
    String(channel.stream_id),
    channel.name,
    accessOf(channel),
    String(channel.subscriber_count),
    channel.is_archived ? "archived" : "active",
    channel.description,
  ]);
  const headings = ["ID", "NAME", "ACCESS", "SUBSCRIBERS", "STATE", "DESCRIPTION"];
  printResult(options, { channels }, formatTable(headings, rows));
}

function accessOf({ invite_only, is_web_public, history_public_to_subscribers }: Shown): string {
  if (is_web_public) return "web-public";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "private, shared history" : "private, protected history";
}

/**
 * `chatd admin channel create NAME [--private [--shared-history]] [--subscriber EMAIL…]
 * [--if-missing] …`
 */
export async function createChannel(
  name: string,
  options: SettingOptions & { subscriber?: string[]; announce?: boolean },
) {
  const {
    description,
    private: inviteOnly,
    webPublic,
    sharedHistory,
    default: isDefault,
    topicsPolicy,
  } = options;
  readValue(() => cleanChannelName(name));
  const messageRetentionDays = retentionOf(options);
  await printAdded<Shown>(options, "channel", async (ctx) => {
    const settings = await readPermissions(ctx, permissions, options.permission);
    const folderId = await folderOf(ctx, options);
    const access = {
      inviteOnly,
      isWebPublic: webPublic,
      historyPublicToSubscribers: sharedHistory,
    };
    const plain = { name, description, isDefault, topicsPolicy, settings };
    return {
      async find() {
        const row = await findChannelByName(ctx.reader, ctx.realm.id, name.trim());
        return row && shown(ctx, row.id);
      },
      async add() {
        const { id } = await createNewChannel(ctx, {
          channel: { ...plain, ...access, folderId, messageRetentionDays },
          subscribers: options.subscriber ?? [],
          notices: { announce: options.announce ?? false, tellSubscribed: false },
        });
        return shown(ctx, id);
      },
      added: (channel) => `Created the channel ${channel.name} (ID ${channel.stream_id}).`,
      describe: describeChannel,
    };
  });
}

const describeChannel = (channel: Shown) =>
  `There is a channel ${channel.name} already (ID ${channel.stream_id}, ${accessOf(channel)}${channel.is_archived ? ", archived" : ""}).`;

/** `chatd admin channel update CHANNEL [--name NAME] [--private|--no-private] …` */
export async function updateChannel(channel: string, options: SettingOptions & { name?: string }) {
  const {
    name,
    description,
    private: isPrivate,
    webPublic,
    sharedHistory,
    default: isDefault,
    topicsPolicy,
  } = options;
  const messageRetentionDays = retentionOf(options);
  const access = { isPrivate, isWebPublic: webPublic, historyPublicToSubscribers: sharedHistory };
  const plain = { name, description, ...access, isDefault, topicsPolicy };
  const given = [...Object.values(plain), messageRetentionDays, options.permission, options.folder];
  if (given.every((value) => value === undefined)) {
    throw new UsageError("Nothing to change: give --name, --description or another option.");
  }
  const updated = await withOperator(options, async (ctx) => {
    const id = await loadChannelId(ctx, channel);
    const values = await readPermissions(ctx, permissions, options.permission);
    const settings = new Map(
      [...values].map(([permission, value]) => [permission, { new: value }]),
    );
    const folderId = await folderOf(ctx, options);
    await changeChannel(ctx, { id }, { ...plain, messageRetentionDays, folderId, settings });
    return shown(ctx, id);
  });
  printResult(options, { channel: updated }, [`Changed the channel ${updated.name}.`]);
}

/** `chatd admin channel archive CHANNEL`: people can still read it, but nobody can send to it. */
export async function archiveChannel(channel: string, options: RealmOptions) {
  const archived = await withOperator(options, async (ctx) => {
    const id = await loadChannelId(ctx, channel);
    await archiveNamed(ctx, { id });
    return shown(ctx, id);
  });
  printResult(options, { channel: archived }, [`Archived the channel ${archived.name}.`]);
}

/** `chatd admin channel address CHANNEL [--sender EMAIL]` */
export async function showAddress(name: string, options: RealmOptions & { sender?: string }) {
  const { sender } = options;
  const shownAddress = await withOperator(options, async (ctx) => {
    const id = await loadChannelId(ctx, name);
    const { channel } = await loadKnownChannel(ctx, ctx.reader, { id });
    if (channel.isArchived)
      throw badRequest(`The channel '${channel.name}' is archived, so mail to it is refused.`);
    const bot = sender === undefined ? undefined : await loadAccount(ctx, sender);
    const email = await loadAddressForOperator(ctx, channel, bot);
    if (email === "") throw noMailDomain();
    return { channel: channel.name, email };
  });
  printResult(options, shownAddress, [shownAddress.email]);
}

const noMailDomain = () =>
  badRequest(
    "Channels have no mail addresses: channel_email_domain is not set. If the server has it, give this command its configuration with --config.",
  );

/** `chatd admin channel renew-addresses CHANNEL` */
export async function renewAddresses(name: string, options: RealmOptions) {
  const { channel, email } = await withOperator(options, async (ctx) => {
    const id = await loadChannelId(ctx, name);
    const renewed = await renewChannelAddresses(ctx, { id });
    return { channel: await shown(ctx, id), email: await loadAddressForOperator(ctx, renewed) };
  });
  const next = email === "" ? "" : ` Mail to it now goes to: ${email}`;
  printResult(options, { channel, email }, [
    `Replaced the e-mail addresses of the channel ${channel.name}.${next}`,
  ]);
}

/** `chatd admin channel unarchive CHANNEL` */
export async function unarchiveChannel(channel: string, options: RealmOptions) {
  const restored = await withOperator(options, async (ctx) => {
    const id = await loadChannelId(ctx, channel);
    await unarchiveNamed(ctx, { id });
    return shown(ctx, id);
  });
  printResult(options, { channel: restored }, [`Unarchived the channel ${restored.name}.`]);
}

/** Addresses as they are stored; refuses unknown ones. */
const addressesOf = (ctx: Context, emails: readonly string[]) =>
  Promise.all(emails.map(async (email) => (await loadAccount(ctx, email)).email));

/** `chatd admin channel subscribe CHANNEL EMAIL…` */
export async function subscribe(channel: string, emails: string[], options: RealmOptions) {
  const outcome = await withOperator(options, async (ctx) => {
    const { name } = await shown(ctx, await loadChannelId(ctx, channel));
    const principals = await addressesOf(ctx, emails);
    const { subscribed } = await addSubscriptions(ctx, { subscriptions: [{ name }], principals });
    return { channel: name, emails: principals, changed: Object.keys(subscribed).length };
  });
  printResult(options, outcome, [
    `${countOf(outcome.changed)} more in the channel ${outcome.channel}.`,
  ]);
}

/** `chatd admin channel unsubscribe CHANNEL EMAIL…` */
export async function unsubscribe(channel: string, emails: string[], options: RealmOptions) {
  const outcome = await withOperator(options, async (ctx) => {
    const streamId = await loadChannelId(ctx, channel);
    const before = await shown(ctx, streamId);
    const principals = await addressesOf(ctx, emails);
    await removeSubscriptions(ctx, { subscriptions: [before.name], principals });
    const after = await shown(ctx, streamId);
    const changed = before.subscriber_count - after.subscriber_count;
    return { channel: before.name, emails: principals, changed };
  });
  printResult(options, outcome, [
    `${countOf(outcome.changed)} fewer in the channel ${outcome.channel}.`,
  ]);
}

const countOf = (count: number) => (count === 1 ? "1 person or bot" : `${count} people and bots`);
