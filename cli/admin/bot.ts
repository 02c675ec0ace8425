import { getBotApiKey, regenerateBotApiKey } from "../../src/bots/api-key";
import { deactivateBot } from "../../src/bots/deactivate";
import { embeddedServices } from "../../src/bots/embedded";
import { type ListedBot, listAllBots } from "../../src/bots/list";
import { createBotFor } from "../../src/bots/service";
import { updateBot } from "../../src/bots/update";
import type { Context } from "../../src/core/context";
import { requireDeactivatable } from "../../src/management/accounts/deactivate";
import { countBot } from "../../src/moving/figures/consequences";
import { loadAccount } from "../../src/moving/organization/lookup";
import { botKindName, botKinds, botKindsByName } from "../../src/people/bots/kinds";
import { botEmail } from "../../src/people/bots/name";
import { cleanFullName } from "../../src/people/users/names";
import { findUserByEmail } from "../../src/people/users/queries";
import { addMissing } from "../addition";
import { isAgreed } from "../consent";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printNotice, printResult, UsageError } from "../output";
import { readValue } from "../read-value";

const interfaces = new Map([
  ["own", 1],
  ["slack", 2],
]);

const numberOf = (numbers: ReadonlyMap<string, number>, word: string | undefined) =>
  word === undefined ? undefined : numbers.get(word);

const shown = ({ bot, owner, payloadUrl }: ListedBot) => ({
  user_id: bot.id,
  email: bot.email,
  full_name: bot.fullName,
  kind: botKindName(bot.botType),
  owner: owner?.email ?? null,
  is_active: bot.isActive,
  ...(bot.botType === botKinds.outgoingWebhook ? { payload_url: payloadUrl } : {}),
});

async function load(ctx: Context, email: string): Promise<ListedBot> {
  const { id } = await loadAccount(ctx, email);
  const found = (await listAllBots(ctx)).find(({ bot }) => bot.id === id);
  if (!found) throw new UsageError(`${email} is no bot. See: chatd admin bot list`);
  return found;
}

interface ServiceOptions {
  payloadUrl?: string;
  interface?: string;
  service?: string;
}

/** Refuses a new bot that could not work, because its kind needs an option that is missing. */
function requireReachable(kind: number | undefined, options: ServiceOptions): void {
  if (kind === botKinds.embedded && options.service === undefined) {
    const names = embeddedServices.map(({ name }) => name).join(", ");
    throw new UsageError(`Choose its service with --service: ${names}.`);
  }
  if (kind === botKinds.outgoingWebhook && options.payloadUrl === undefined)
    throw new UsageError("Give the URL to which its messages are posted with --payload-url.");
}

/**
 * `chatd admin bot add SHORT-NAME --name NAME --owner EMAIL [--kind KIND] [--payload-url URL]
 * [--interface FORM] [--service NAME] [--if-missing]`
 */
export async function addBot(
  shortName: string,
  options: RealmOptions & ServiceOptions & { name: string; owner: string; kind: string },
) {
  const { name: fullName, owner, payloadUrl, service: serviceName } = options;
  const [botType, interfaceType] = [
    numberOf(botKindsByName, options.kind),
    numberOf(interfaces, options.interface),
  ];
  requireReachable(botType, options);
  readValue(() => [cleanFullName(fullName), botEmail({ host: "localhost" }, shortName)]);
  const { listed, isNew, apiKey } = await withOperator(options, async (ctx) => {
    const { id: ownerId } = await loadAccount(ctx, owner);
    const add = async () => {
      const created = await createBotFor(ctx, ownerId, {
        fullName,
        shortName,
        ...(botType === undefined ? {} : { botType }),
        ...(interfaceType === undefined ? {} : { interfaceType }),
        ...(payloadUrl === undefined ? {} : { payloadUrl }),
        ...(serviceName === undefined ? {} : { serviceName }),
      });
      return loadBot(ctx, created.user_id);
    };
    const findThere = async () => {
      const account = await findUserByEmail(
        ctx.reader,
        ctx.realm.id,
        botEmail(ctx.realm, shortName),
      );
      return account && loadBot(ctx, account.id);
    };
    const { thing, isNew } = await addMissing(options, {
      find: findThere,
      add,
      describe: describeBot,
    });
    const { api_key } = await getBotApiKey(ctx, { botId: thing.bot.id });
    return { listed: thing, isNew, apiKey: api_key };
  });
  if (!isNew) printNotice(describeBot(listed));
  printResult(options, { bot: shown(listed), api_key: apiKey, was_there: !isNew }, [
    `${listed.bot.email}: ${apiKey}`,
  ]);
}

async function loadBot(ctx: Context, id: number): Promise<ListedBot> {
  const listed = (await listAllBots(ctx)).find(({ bot }) => bot.id === id);
  if (!listed) throw new UsageError("That address belongs to a person. Choose another short name.");
  return listed;
}

const describeBot = ({ bot, owner }: ListedBot) =>
  `${bot.email} already exists: ${bot.fullName} (ID ${bot.id}, of ${owner?.email ?? "nobody"}${bot.isActive ? "" : ", deactivated"}).`;

/** `chatd admin bot list`: also deactivated bots. */
export async function listBots(options: RealmOptions) {
  const bots = await withOperator(options, listAllBots);
  const rows = bots.map(({ bot, owner, payloadUrl }) => [
    String(bot.id),
    bot.email,
    bot.fullName,
    botKindName(bot.botType),
    owner?.email ?? "",
    bot.isActive ? "active" : "deactivated",
    payloadUrl,
  ]);
  printResult(
    options,
    { bots: bots.map(shown) },
    formatTable(["ID", "E-MAIL", "NAME", "KIND", "OWNER", "STATE", "URL"], rows),
  );
}

/**
 * `chatd admin bot set EMAIL [--name NAME] [--short-name NAME] [--payload-url URL] [--interface
 * FORM]`
 */
export async function setBot(
  email: string,
  options: RealmOptions & ServiceOptions & { name?: string; shortName?: string },
) {
  const { name: fullName, shortName, payloadUrl: servicePayloadUrl } = options;
  const serviceInterface = numberOf(interfaces, options.interface);
  const listed = await withOperator(options, async (ctx) => {
    const { bot } = await load(ctx, email);
    await updateBot(ctx, {
      botId: bot.id,
      ...(fullName === undefined ? {} : { fullName }),
      ...(shortName === undefined ? {} : { shortName }),
      ...(servicePayloadUrl === undefined ? {} : { servicePayloadUrl }),
      ...(serviceInterface === undefined ? {} : { serviceInterface }),
    });
    return (await listAllBots(ctx)).find((one) => one.bot.id === bot.id);
  });
  if (listed) printResult(options, { bot: shown(listed) }, [`Changed ${listed.bot.email}.`]);
}

/**
 * `chatd admin bot key EMAIL [--regenerate]`: prints the bot's API key, or a new one; then the
 * former keys end.
 */
export async function printKey(email: string, options: RealmOptions & { regenerate?: boolean }) {
  const { api_key } = await withOperator(options, async (ctx) => {
    const { bot } = await load(ctx, email);
    return (options.regenerate ? regenerateBotApiKey : getBotApiKey)(ctx, { botId: bot.id });
  });
  printResult(options, { email, api_key }, [api_key]);
}

/**
 * `chatd admin bot deactivate EMAIL [--revoke-keys]`: ends its connections. Its keys do not work
 * until it is reactivated, or never again.
 */
export async function deactivate(email: string, options: RealmOptions & { revokeKeys?: boolean }) {
  const listed = await withOperator(options, async (ctx) => {
    const { bot } = await load(ctx, email);
    await requireDeactivatable(ctx.reader, bot);
    const plan = {
      act: `deactivate the bot ${bot.fullName} (${bot.email})`,
      name: bot.email,
      figures: await countBot(ctx, bot),
      notes: [
        options.revokeKeys
          ? "Its API keys end for good."
          : "Its API keys work again when somebody reactivates it.",
      ],
    };
    if (!(await isAgreed(options, plan))) return undefined;
    await deactivateBot(ctx, { botId: bot.id, revokeKeys: options.revokeKeys });
    return load(ctx, email);
  });
  if (!listed) return;
  printResult(options, { bot: shown(listed) }, [`Deactivated ${email}.`]);
}

/**
 * `chatd admin bot transfer EMAIL OWNER`: gives a bot to another person; see `transferBotIn` for
 * its keys.
 */
export async function transfer(email: string, owner: string, options: RealmOptions) {
  const listed = await withOperator(options, async (ctx) => {
    const { bot } = await load(ctx, email);
    await updateBot(ctx, { botId: bot.id, botOwnerId: (await loadAccount(ctx, owner)).id });
    return load(ctx, email);
  });
  printResult(options, { bot: shown(listed) }, [`${email} now belongs to ${owner}.`]);
}
