import type { Reader } from "../../db/reader";
import type { App, Context, Person, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, id, optional, record } from "../core/params";
import { isSameHash } from "../core/secrets/secrets";
import { write } from "../core/write";
import { emailGatewayEmail, findUser, findUserByEmail } from "../people/users/queries";
import { renewContext } from "../people/users/renew-context";
import { maySendTo, requireMayAdminister } from "./permissions";
import {
  type ChannelReference,
  type ChannelRow,
  findAccess,
  findChannel,
  invalidChannel,
  loadKnownChannel,
} from "./queries";
import { storeChannel } from "./store";

/** Length limit of the part before the @ of an address (RFC 5321, 4.5.3.1.1). */
const localPartLengthMax = 64;
/** 128 bits in hexadecimal. */
const tokenLength = 32;
const localPartForm = /^(?:.*\.)?([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)-([0-9a-f]{32})$/;

export const GetChannelEmailAddress = record({ streamId: id(), senderId: optional(id()) });

/**
 * The address for mail to a channel. Mails become messages of the user with the given id, or else
 * of the e-mail gateway bot. Empty where the server has no domain for such addresses
 * (`channel_email_domain`). Refuses a channel that the actor may not know like one that does not
 * exist, an actor who may not send there, and any sender other than the actor, their bots and the
 * gateway. Source: `docs/protocol/specification.md`, GET /streams/{stream_id}/email_address.
 */
export async function getChannelEmailAddress(
  ctx: Context<Person>,
  { streamId, senderId }: Input<typeof GetChannelEmailAddress>,
): Promise<{ email: string }> {
  const access = await findAccess(ctx, ctx.reader, { id: streamId });
  if (!access?.mayKnow) throw invalidChannel({ id: streamId });
  const { channel, mayRead } = access;
  if (!mayRead || channel.isArchived || !(await maySendTo(ctx.reader, ctx, channel))) {
    throw badRequest(
      `You may not post in the channel '${channel.name}', so you may not see its e-mail address.`,
    );
  }
  const sender = await findSender(ctx, senderId);
  return { email: channelAddress(ctx.app, channel, sender.id) };
}

async function findSender(ctx: Context<Person>, senderId: number | undefined): Promise<UserRow> {
  const { reader, realm, actor } = ctx;
  const gateway = await findGateway(ctx);
  const sender = senderId === undefined ? gateway : await findUser(reader, realm.id, senderId);
  const isOwn = sender?.isActive && [sender.id, sender.botOwnerId].includes(actor.user.id);
  const isGateway = sender?.isSystemBot && sender.id === gateway?.id;
  if (sender && (isOwn || isGateway)) return sender;
  throw badRequest("The sender must be you, a bot of yours, or the e-mail gateway bot.");
}

const findGateway = ({ reader, realm }: Context) =>
  findUserByEmail(reader, realm.id, emailGatewayEmail(realm.host));

/**
 * The address for mail to a channel, for the operator. Mails become messages of the given bot, or
 * else of the e-mail gateway bot. Empty where the server has no domain for such addresses. Refuses
 * (BAD_REQUEST) people, other bots of chatd itself and deactivated bots as senders.
 */
export async function loadAddressForOperator(
  ctx: Context,
  channel: ChannelRow,
  bot?: UserRow,
): Promise<string> {
  const gateway = await findGateway(ctx);
  const sender = bot ?? gateway;
  const isBot = sender?.isActive && sender.botType !== null && !sender.isSystemBot;
  if (!sender || (!isBot && sender.id !== gateway?.id))
    throw badRequest("The sender must be an active bot of somebody, or the e-mail gateway bot.");
  return channelAddress(ctx.app, channel, sender.id);
}

/**
 * The address of a channel for mail of one sender. Nobody can guess it, and it is not stored but
 * derived from the server's secret.
 */
function channelAddress(
  app: Pick<App, "config" | "secrets">,
  channel: ChannelRow,
  senderId: number,
): string {
  const { channelEmailDomain: domain } = app.config;
  if (domain === undefined) return "";
  const place = [channel.realmId, channel.id, senderId].map((number) => number.toString(36));
  const token = [...place, tokenOf(app, channel, senderId)].join("-");
  const name = channel.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, localPartLengthMax - token.length - 1)
    .replace(/^-+|-+$/g, "");
  return `${name === "" ? "" : `${name}.`}${token}@${domain}`;
}

function tokenOf({ secrets }: Pick<App, "secrets">, channel: ChannelRow, senderId: number): string {
  const { realmId, id: channelId, addressGeneration } = channel;
  return secrets
    .hash("channel-address", [realmId, channelId, senderId, addressGeneration].join(" "))
    .slice(0, tokenLength);
}

/** Recipient of a mail, by its address. */
export interface AddressedMail {
  channel: ChannelRow;
  sender: UserRow;
}

/**
 * The channel and the sender of an address, whatever name it contains; undefined for an address
 * that is invalid or no longer valid. The caller checks whether the sender may send there now.
 */
export async function resolveChannelAddress(
  app: Pick<App, "config" | "secrets">,
  reader: Reader,
  address: string,
): Promise<AddressedMail | undefined> {
  const [localPart = "", domain] = address.trim().toLowerCase().split("@");
  const [, realmPart, channelPart, senderPart, token = ""] = localPartForm.exec(localPart) ?? [];
  if (domain === undefined || domain !== app.config.channelEmailDomain) return undefined;
  const [realmId = 0, channelId = 0, senderId = 0] = [realmPart, channelPart, senderPart].map(
    (part) => Number.parseInt(part ?? "0", 36),
  );
  if (![realmId, channelId, senderId].every(Number.isSafeInteger)) return undefined;
  const channel = await findChannel(reader, realmId, channelId);
  if (!channel || !isSameHash(tokenOf(app, channel, senderId), token)) return undefined;
  const sender = await findUser(reader, realmId, senderId);
  return sender?.isActive ? { channel, sender } : undefined;
}

/**
 * Replaces all addresses of a channel, so that mail to the old ones is refused. Refuses everybody
 * but administrators of the channel.
 */
export async function renewChannelAddresses(
  ctx: Context,
  reference: ChannelReference,
): Promise<ChannelRow> {
  return write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { channel } = await loadKnownChannel(renewed, tx, reference);
    await requireMayAdminister(tx, renewed, channel);
    tx.audit(renewed, { action: "channel.renew_addresses", kind: "channel", ids: [channel.id] });
    return storeChannel(tx, channel, { addressGeneration: channel.addressGeneration + 1 });
  });
}
