import { type Static, type TObject, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { isSelf } from "../core/account";
import type { Context, Person, Tx, UserRow } from "../core/context";
import type { Connection } from "../core/endpoint";
import { accessDenied, badRequest } from "../core/errors";
import { either, type Input, integer, json, nothing, optional, record, text } from "../core/params";
import { isUnbound, roles } from "../core/rights/role";
import { insertAccount } from "../management/accounts/create";
import { announceBot } from "../people/bots/announce";
import { requireMayCreateBots } from "../people/bots/create-permission";
import { type BotKind, botKinds, readBotKind } from "../people/bots/kinds";
import { botEmail, requireNewBotName } from "../people/bots/name";
import { botDefaults, defaultsWire } from "../people/bots/wire";
import { announceNewMember } from "../people/user-groups/system-groups";
import { announceAccount } from "../people/users/announce";
import { avatarUrl } from "../people/users/avatar";
import { cleanEmail } from "../people/users/email-address";
import { cleanFullName } from "../people/users/names";
import { loadUser } from "../people/users/queries";
import { renewContext } from "../people/users/renew-context";
import { insertApiKey } from "../sign-in/api-keys";
import {
  type BotDetails,
  defaultParameters,
  mergeConfig,
  readDefaults,
  storeDetails,
} from "./details";
import { loadEmbeddedService } from "./embedded";
import {
  cleanPayloadUrl,
  interfaceTypes,
  makeWebhookToken,
  readInterfaceType,
  tokenPurpose,
} from "./outgoing";
import { givePicture, writeWithPicture } from "./picture";
import { findKnownNames } from "./visible-details";

interface NewBot {
  email: string;
  fullName: string;
  /** Its owner: an active person of the realm. */
  ownerId: number;
  /** A generic bot by default. */
  kind?: BotKind;
  /** Checked by the caller. The token of an outgoing webhook is made here. */
  details?: BotDetails;
}

/**
 * Creates a bot, as part of a write; answers its row. It is a member, or a guest if its owner is
 * one, and starts without an API key and without subscriptions. Events: realm_user add and
 * user_group add_members, to the realm; then realm_bot add, to administrators and the owner.
 * Refuses invalid values, an address in use, a name that another active bot has, and an actor who
 * may not create bots of the kind (BAD_REQUEST).
 */
export async function createBotIn(tx: Tx, ctx: Context, input: NewBot): Promise<UserRow> {
  const { email, fullName, ownerId, kind = botKinds.generic, details = {} } = input;
  const owner = await loadOwner(tx, ctx, ownerId);
  await requireMayCreate(tx, ctx, owner, kind);
  await requireRoom(tx, ctx, owner);
  const name = cleanFullName(fullName);
  await requireNewBotName(tx, ctx.realm, name);
  const bot = await insertAccount(tx, ctx, {
    email: cleanEmail(email),
    fullName: name,
    role: owner.role >= roles.guest ? roles.guest : roles.member,
    passwordHash: null,
    botType: kind,
    botOwnerId: owner.id,
  });
  const all =
    kind === botKinds.outgoingWebhook
      ? { ...details, sealedToken: sealNewToken(ctx, bot.id) }
      : details;
  if (Object.keys(all).length > 0) await storeDetails(tx, bot, all);
  await announceAccount(tx, bot);
  await announceNewMember(tx, ctx, bot);
  // Last, because the event names the bot only by its id.
  await announceBot(tx, bot);
  return bot;
}

const sealNewToken = ({ app: { secrets } }: Context, botId: number) =>
  secrets.seal(tokenPurpose(botId), makeWebhookToken());

/**
 * A person who can own a bot. Refuses (BAD_REQUEST) bots, deactivated people, and missing users.
 */
async function loadOwner(tx: Tx, ctx: Context, ownerId: number): Promise<UserRow> {
  const owner = await loadUser(tx, ctx.realm.id, ownerId);
  if (!owner.isActive || owner.botType !== null)
    throw badRequest("A bot's owner must be an active person.");
  return owner;
}

/**
 * Refuses (BAD_REQUEST) one more bot of somebody who has as many as the operator allows. There is a
 * limit, because each `register` contains all bots, including deactivated ones. The operator has
 * none.
 */
export async function requireRoom(tx: Tx, { app, actor }: Context, owner: UserRow) {
  const { botsPerUserMax: most } = app.config;
  if (most === 0 || isUnbound(actor)) return;
  const { users } = tx.t;
  const isTheirs = and(eq(users.realmId, owner.realmId), eq(users.botOwnerId, owner.id));
  if ((await tx.db.$count(users, isTheirs)) < most) return;
  const isOwn = isSelf(actor, owner.id);
  throw badRequest(
    isOwn
      ? `You can have ${most} bots, including deactivated ones: use one of them again, or ask the operator to raise bots_per_user_max.`
      : `${owner.fullName} can have ${most} bots, deactivated ones included: ask the operator to raise bots_per_user_max.`,
  );
}

/** The operator makes bots for everybody; people make their own, if the organization lets them. */
async function requireMayCreate(tx: Tx, ctx: Context, owner: UserRow, kind: BotKind) {
  const isOwn = isSelf(ctx.actor, owner.id);
  if (!isOwn && !isUnbound(ctx.actor)) throw accessDenied("You can only create bots for yourself.");
  await requireMayCreateBots(tx, ctx, kind);
}

export const CreateBot = record({
  fullName: text(),
  shortName: text(),
  botType: optional(integer()),
  payloadUrl: optional(either(text(), nothing())),
  interfaceType: optional(integer()),
  serviceName: optional(text()),
  configData: optional(json()),
  ...defaultParameters,
});

/**
 * Creates a bot of the actor's own, with an API key and, if given, a picture. An outgoing webhook
 * gets a token too; without a payload URL nothing is posted. Events and refusals: see `createBotIn`
 * and `setAvatarIn`; further refusals (BAD_REQUEST): an unusable address, form or service, and a
 * channel that the actor may not know; a file that is no picture (BAD_IMAGE). Source:
 * `test/recorded/api/api-surface.json`, POST /bots.
 */
export async function createOwnBot(
  ctx: Context<Person>,
  input: Input<typeof CreateBot>,
  { picture }: Pick<Connection, "picture">,
): Promise<Static<typeof AddedBot>> {
  return createBotFor(ctx, ctx.actor.user.id, input, picture);
}

/** Creates a bot for somebody else, for the operator. */
export async function createBotFor(
  ctx: Context,
  ownerId: number,
  input: Input<typeof CreateBot>,
  file?: Uint8Array,
): Promise<Static<typeof AddedBot>> {
  const kind = readBotKind(input.botType ?? botKinds.generic);
  const details = readService(kind, input);
  await requireMayCreateBots(ctx.reader, ctx, kind);
  return writeWithPicture(ctx, file, async (tx, picture) => {
    const current = await renewContext(tx, ctx);
    const defaults = await readDefaults(tx, current, input);
    const created = await createBotIn(tx, current, {
      email: botEmail(current.realm, input.shortName),
      fullName: input.fullName,
      ownerId,
      kind,
      details: { ...details, ...defaults },
    });
    const bot = await givePicture(tx, current, created, picture);
    const { apiKey } = await insertApiKey(tx, current, bot, "created");
    const after = { full_name: bot.fullName, owner_id: ownerId, bot_type: kind };
    tx.audit(current, { action: "bot.create", kind: "user", ids: [bot.id], after });
    return { user_id: bot.id, ...(await keptAnswer(tx, current, bot, defaults)), api_key: apiKey };
  });
}

/** Fields in the answers to both creating and changing a bot. */
export const keptFields = { avatar_url: Type.String(), ...botDefaults };

/** A new bot, with its first API key. */
export const AddedBot = Type.Object({
  user_id: Type.Integer(),
  ...keptFields,
  api_key: Type.String(),
});

export async function keptAnswer(
  tx: Tx,
  ctx: Context,
  bot: UserRow,
  row: BotDetails | undefined,
): Promise<Static<TObject<typeof keptFields>>> {
  const {
    defaultSendingChannelId = null,
    defaultEventsChannelId = null,
    defaultAllPublicChannels = false,
  } = row ?? {};
  const ids = [defaultSendingChannelId, defaultEventsChannelId].filter((id) => id !== null);
  const channelNames =
    "user" in ctx.actor ? await findKnownNames(tx, { ...ctx, user: ctx.actor.user }, ids) : noNames;
  const defaults = { defaultSendingChannelId, defaultEventsChannelId, defaultAllPublicChannels };
  return {
    avatar_url: avatarUrl({ email: bot.email, picture: bot }, false),
    ...defaultsWire(defaults, { channelNames }),
  };
}

/** The operator needs no channel names. */
const noNames: ReadonlyMap<number, string> = new Map();

function readService(kind: BotKind, input: Input<typeof CreateBot>): BotDetails {
  const { payloadUrl, interfaceType = interfaceTypes.own, serviceName, configData = {} } = input;
  const form = readInterfaceType(interfaceType);
  if (kind === botKinds.outgoingWebhook) {
    return { payloadUrl: cleanPayloadUrl(payloadUrl ?? ""), interfaceType: form };
  }
  if (kind === botKinds.embedded) {
    const { name } = loadEmbeddedService(serviceName);
    return { serviceName: name, configData: mergeConfig(name, "{}", configData) };
  }
  if (kind === botKinds.incomingWebhook && serviceName) throw noIntegration(serviceName);
  return {};
}

/**
 * Refusal for `realm_incoming_webhook_bots`: the address of a post names the integration, not the
 * bot.
 */
const noIntegration = (name: string) =>
  badRequest(
    `A bot does not belong to one integration: leave out service_name, and post to /api/v1/external/${name}.`,
  );
