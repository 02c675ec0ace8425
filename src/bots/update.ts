import { type Static, Type } from "@sinclair/typebox";
import { type AuditFacts, changedFacts } from "../core/audit";
import type { Context, Tx, UserRow } from "../core/context";
import type { Connection } from "../core/endpoint";
import { badRequest } from "../core/errors";
import {
  either,
  type Input,
  id,
  integer,
  json,
  nothing,
  nullable,
  optional,
  record,
  text,
} from "../core/params";
import { isRole } from "../core/rights/role";
import { snakeCase } from "../core/text/snake-case";
import { storeAccount, updateUserRoleIn } from "../management/accounts/update";
import { announceDetails } from "../people/bots/announce";
import { botKinds } from "../people/bots/kinds";
import { loadManagedBot } from "../people/bots/managed";
import { botEmail, requireNewBotName } from "../people/bots/name";
import { type BotRow, findBotRow } from "../people/bots/queries";
import { requireFreeEmail } from "../people/users/email-address";
import { cleanFullName } from "../people/users/names";
import { emailKeyOf, loadUser } from "../people/users/queries";
import { renewContext } from "../people/users/renew-context";
import { shownPerson } from "../people/users/shown";
import { viewerOf } from "../people/users/viewer";
import {
  type BotDetails,
  defaultParameters,
  isTexts,
  mergeConfig,
  readDefaults,
  storeDetails,
} from "./details";
import { cleanPayloadUrl, interfaceTypes, readInterfaceType } from "./outgoing";
import { givePicture, writeWithPicture } from "./picture";
import { keptAnswer, keptFields } from "./service";
import { transferBotIn } from "./transfer";

export const UpdateBot = record({
  botId: id(),
  fullName: optional(text()),
  shortName: optional(text()),
  role: optional(integer()),
  botOwnerId: optional(id()),
  servicePayloadUrl: optional(either(text(), nothing())),
  serviceInterface: optional(integer()),
  configData: optional(json()),
  ...defaultParameters,
});

type Changes = Input<typeof UpdateBot>;

/**
 * A bot after a change. Its service has the values of the request, and defaults for values that
 * the request leaves out.
 */
export const UpdatedBot = Type.Object({
  ...keptFields,
  full_name: Type.String(),
  service_interface: Type.Integer(),
  service_payload_url: nullable(Type.String()),
  config_data: nullable(Type.Record(Type.String(), Type.String())),
  bot_owner: Type.Optional(
    Type.String({ description: "Name of the owner in the API; absent where it has none." }),
  ),
});

/**
 * Changes a bot, for its owner, for administrators and for the operator: all given values, or none.
 * Events: realm_user update for each part of its account and for its avatar, to the realm;
 * realm_bot update for its other details, to administrators and its owner; those of
 * `transferBotIn`. Only administrators change a role, and only owners make owners. Refuses
 * (BAD_REQUEST) other actors, a user who is no bot, and invalid values. Source:
 * `test/recorded/api/api-surface.json`, PATCH /bots/{bot_id}.
 */
export async function updateBot(
  ctx: Context,
  input: Changes,
  { picture: file }: Pick<Connection, "picture"> = {},
): Promise<Static<typeof UpdatedBot>> {
  await loadManagedBot(ctx.reader, ctx, input.botId);
  return writeWithPicture(ctx, file, async (tx, picture) => {
    const current = await renewContext(tx, ctx);
    const before = await loadManagedBot(tx, current, input.botId);
    const botId = before.id;
    await changeAccount(tx, current, before, input);
    const bot = await givePicture(
      tx,
      current,
      await loadUser(tx, current.realm.id, botId),
      picture,
    );
    const row = await changeDetails(tx, current, bot, input);
    const after =
      input.botOwnerId === undefined
        ? bot
        : await transferBotIn(tx, current, bot, input.botOwnerId);
    auditBot(tx, current, { bot, after, given: input, hasPicture: picture !== undefined });
    return {
      ...(await keptAnswer(tx, current, after, row)),
      ...(await describe(tx, current, after, input)),
    };
  });
}

async function changeAccount(
  tx: Tx,
  ctx: Context,
  { id: botId, role: roleBefore }: UserRow,
  { role, fullName, shortName }: Changes,
) {
  if (role !== undefined && !isRole(role))
    throw badRequest("Invalid role: use 100, 200, 300, 400 or 600.");
  // Zulip's web client sends the present role with every change, also for people who may not
  // change roles.
  if (role !== undefined && role !== roleBefore) await updateUserRoleIn(tx, ctx, botId, role);
  if (fullName !== undefined)
    await renameBotIn(tx, ctx, await loadUser(tx, ctx.realm.id, botId), fullName);
  if (shortName !== undefined)
    await changeShortNameIn(tx, ctx, await loadUser(tx, ctx.realm.id, botId), shortName);
}

/** Notes a change of a bot's account. */
const auditAccount = (
  tx: Tx,
  ctx: Context,
  { id }: UserRow,
  before: AuditFacts,
  after: AuditFacts,
) => tx.audit(ctx, { action: "bot.update", kind: "user", ids: [id], before, after });

async function renameBotIn(tx: Tx, ctx: Context, bot: UserRow, fullName: string) {
  const name = fullName === bot.fullName ? fullName : cleanFullName(fullName);
  if (name === bot.fullName) return;
  await requireNewBotName(tx, ctx.realm, name, bot.id);
  await storeAccount(tx, bot, { fullName: name });
  auditAccount(tx, ctx, bot, { full_name: bot.fullName }, { full_name: name });
}

/** The address is the bot's name at sign-in; its keys stay valid with the new one. */
async function changeShortNameIn(tx: Tx, ctx: Context, bot: UserRow, shortName: string) {
  const email = botEmail(ctx.realm, shortName);
  if (email === bot.email) return;
  await requireFreeEmail(tx, ctx.realm, email, bot.id);
  await storeAccount(tx, bot, { email, emailKey: emailKeyOf(email) });
  auditAccount(tx, ctx, bot, { email: bot.email }, { email });
}

const shownDetails = {
  defaultSendingChannelId: "default_sending_stream",
  defaultEventsChannelId: "default_events_register_stream",
  defaultAllPublicChannels: "default_all_public_streams",
  payloadUrl: "services",
  interfaceType: "services",
  configData: "services",
} as const;

type ShownDetail = keyof typeof shownDetails;
const detailNames = Object.keys(shownDetails).filter(
  (name): name is ShownDetail => name in shownDetails,
);

/** Notes changes other than those of the account, which are noted where they are made. */
function auditBot(
  tx: Tx,
  ctx: Context,
  {
    bot,
    after,
    given,
    hasPicture,
  }: { bot: UserRow; after: UserRow; given: Changes; hasPicture: boolean },
) {
  const { botId: _id, fullName: _name, role: _role, shortName: _short, ...others } = given;
  const details = Object.keys(others).filter((name) => name !== "botOwnerId");
  const ownerOf = ({ botOwnerId }: UserRow) => ({ owner_id: botOwnerId });
  const owner = changedFacts(ownerOf(bot), ownerOf(after));
  const changed = [...details.map(snakeCase), ...(hasPicture ? ["avatar"] : [])];
  tx.audit(ctx, {
    action: "bot.update",
    kind: "user",
    ids: [bot.id],
    before: owner.before,
    after: { ...owner.after, ...(changed.length > 0 && { changed }) },
  });
}

async function changeDetails(
  tx: Tx,
  ctx: Context,
  bot: UserRow,
  input: Changes,
): Promise<BotRow | undefined> {
  const before = await findBotRow(tx, ctx.realm.id, bot.id);
  const details = {
    ...(await readDefaults(tx, ctx, input)),
    ...readServiceChanges(bot, before, input),
  };
  if (Object.keys(details).length === 0) return before;
  const after = await storeDetails(tx, bot, details);
  const changed = detailNames.filter((name) => name in details && after[name] !== before?.[name]);
  await announceDetails(tx, bot, [...new Set(changed.map((name) => shownDetails[name]))]);
  return after;
}

function readServiceChanges(
  { botType }: UserRow,
  before: BotRow | undefined,
  input: Changes,
): BotDetails {
  const { servicePayloadUrl: url, serviceInterface: form, configData } = input;
  if (url != null && botType !== botKinds.outgoingWebhook) {
    throw badRequest("Only outgoing webhooks have a payload URL.");
  }
  if (configData != null && botType !== botKinds.embedded)
    throw badRequest("Only embedded bots have config_data.");
  const interfaceType = form === undefined ? undefined : readInterfaceType(form);
  const isOutgoing = botType === botKinds.outgoingWebhook;
  return {
    ...(url == null ? {} : { payloadUrl: cleanPayloadUrl(url) }),
    ...(isOutgoing && interfaceType !== undefined ? { interfaceType } : {}),
    ...(configData == null
      ? {}
      : {
          configData: mergeConfig(
            before?.serviceName ?? "",
            before?.configData ?? "{}",
            configData,
          ),
        }),
  };
}

/** The answer repeats the request, except for the account (recorded: bots_webhook). */
async function describe(
  tx: Tx,
  ctx: Context,
  bot: UserRow,
  { serviceInterface, servicePayloadUrl, configData }: Changes,
) {
  const view = { viewer: await viewerOf(tx, ctx), realmHost: ctx.realm.host };
  const owner =
    bot.botOwnerId === null ? undefined : await loadUser(tx, bot.realmId, bot.botOwnerId);
  return {
    full_name: bot.fullName,
    service_interface: serviceInterface ?? interfaceTypes.own,
    service_payload_url: servicePayloadUrl ?? null,
    config_data: isTexts(configData) ? configData : null,
    ...(owner ? { bot_owner: shownPerson(owner, view).email } : {}),
  };
}
