import { type BotDetails, mergeConfig, storeDetails } from "../../../bots/details";
import { loadEmbeddedService } from "../../../bots/embedded";
import { cleanPayloadUrl, interfaceTypes } from "../../../bots/outgoing";
import { createBotIn } from "../../../bots/service";
import type { UserRow } from "../../../core/context";
import { badRequest } from "../../../core/errors";
import { deactivateUserIn } from "../../../management/accounts/deactivate";
import { announceDetails } from "../../../people/bots/announce";
import { type BotKind, botKindName, botKinds, botKindsByName } from "../../../people/bots/kinds";
import { type BotRow, findBotRows } from "../../../people/bots/queries";
import { cleanEmail } from "../../../people/users/email-address";
import { cleanFullName } from "../../../people/users/names";
import { emailKeyOf, loadUser } from "../../../people/users/queries";
import { changesOfAccount, findStoredAccount, isUsable } from "../accounts";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import { type Dumping, present } from "../dumping";
import {
  type Item,
  type Node,
  openMapping,
  readItems,
  readText,
  refuseRepeated,
  requireText,
} from "../file/decode";
import { attempt, type Path, type Problem } from "../file/problems";
import { findNamed, type Planning } from "../planning";
import { userId } from "../work";

export interface DeclaredBot {
  email: string;
  name: string;
  /** The owner's e-mail address. */
  owner: string;
  kind: BotKind;
  /** Facts about the bot's service, if the file has them. */
  details: BotService;
}

/** Address and form of the posts of a bot, or the embedded service that it runs. */
type BotService = Pick<BotDetails, "payloadUrl" | "interfaceType" | "serviceName" | "configData">;

/** Bots that people own, identified by their addresses. */
export const bots: Declarable = {
  read: (root) => ({
    bots: readItems(root, "bots").map((item) => readBot(root.problems, item)),
  }),
  check(declaration, problems) {
    const names = declaration.bots.map(({ name }, index) => ({
      path: ["bots", index, "name"],
      name,
      shown: `'${name}'`,
    }));
    refuseRepeated(problems, names);
  },
  async load({ reader, realm }, { users }) {
    const ids = users.filter(({ botType }) => botType !== null).map(({ id }) => id);
    return { bots: await findBotRows(reader, realm.id, ids) };
  },
  plan: planBots,
  dump: (dumping) => ({ bots: dumpBots(dumping) }),
  prune: { part: "bots", changes: pruneBots },
};

const serviceKeys = {
  payloadUrl: "payload_url",
  interfaceType: "interface",
  serviceName: "service",
  configData: "config",
} as const;

/** The keys of the file that a bot has for its service. */
const botServiceKeys = (details: BotService): string[] =>
  Object.entries(serviceKeys).flatMap(([name, key]) => (name in details ? [key] : []));

/** The keys of the file that only some kinds of bots may have. */
const ownKeys: Partial<Record<BotKind, readonly string[]>> = {
  [botKinds.outgoingWebhook]: ["payload_url", "interface"],
  [botKinds.embedded]: ["service", "config"],
};
const keys = ["email", "name", "kind", "owner", ...Object.values(ownKeys).flat()];

function readBot(problems: Problem[], { path, value }: Item): DeclaredBot {
  const node = openMapping(problems, path, value, "a bot", keys);
  const kind = readKind(node);
  refuseOtherKeys(node, kind);
  return {
    email: requireText(node, "email", cleanEmail),
    name: requireText(node, "name", cleanFullName),
    owner: requireText(node, "owner", (text) => text.trim()),
    kind,
    details: readService(node, kind),
  };
}

function readKind(node: Node): BotKind {
  const read = readText(node, "kind", (text) => text.trim());
  if (read === undefined) return botKinds.generic;
  const kind = botKindsByName.get(read);
  if (kind !== undefined) return kind;
  const message = `there is no kind '${read}' of bots. Kinds: ${[...botKindsByName.keys()].join(", ")}.`;
  node.problems.push({ path: [...node.path, "kind"], message });
  return botKinds.generic;
}

function refuseOtherKeys({ path, fields, problems }: Node, kind: BotKind) {
  for (const [other, names = []] of Object.entries(ownKeys)) {
    if (Number(other) === kind) continue;
    for (const name of names.filter((one) => fields[one] !== undefined)) {
      const message = `only bots of the kind ${botKindName(Number(other))} have '${name}'.`;
      problems.push({ path: [...path, name], message });
    }
  }
}

function readService(node: Node, kind: BotKind): BotService {
  if (kind === botKinds.outgoingWebhook) {
    const payloadUrl = readText(node, "payload_url", cleanPayloadUrl);
    const interfaceType = readInterface(node);
    return {
      ...(payloadUrl === undefined ? {} : { payloadUrl }),
      ...(interfaceType ? { interfaceType } : {}),
    };
  }
  if (kind !== botKinds.embedded) return {};
  const { fields, problems, path } = node;
  const serviceName = requireText(node, "service", (text) => loadEmbeddedService(text).name);
  const configData = attempt(problems, [...path, "config"], () =>
    mergeConfig(serviceName, "{}", fields.config ?? {}),
  );
  return { serviceName, ...(configData === undefined ? {} : { configData }) };
}

function readInterface(node: Node): number | undefined {
  const typesByName: Readonly<Record<string, number>> = interfaceTypes;
  const name = readText(node, "interface", (text) => {
    if (Object.hasOwn(typesByName, text)) return text;
    throw badRequest(
      `there is no interface '${text}'. Interfaces: ${Object.keys(typesByName).join(", ")}.`,
    );
  });
  return name === undefined ? undefined : typesByName[name];
}

function planBots(planning: Planning) {
  const { declaration, stored, changes, problems } = planning;
  declaration.bots.forEach((bot, index) => {
    const place = ["bots", index];
    if (!isUsable(planning, bot.email, [...place, "email"], true)) return;
    const path = [...place, "owner"];
    const owner = findNamed(planning, bot.owner, path);
    if (!owner) return;
    const row = findStoredAccount(stored, bot.email);
    if (owner.isBot)
      problems.push({
        path,
        message: `'${bot.owner}' is a bot: a person must own '${bot.email}'.`,
      });
    else if (!row) changes.push(addBot(place, bot));
    else if (row.botOwnerId !== owner.id)
      problems.push({ path, message: `'${bot.email}' has another owner, who stays.` });
    else if (row.botType !== bot.kind) {
      const message = `'${bot.email}' is of the kind ${botKindName(row.botType)}, which stays.`;
      problems.push({ path: [...place, "kind"], message });
    } else
      changes.push(
        ...changesOfAccount(place, bot, row),
        ...changesOfService(place, bot, stored.bots.get(row.id)),
      );
  });
}

/**
 * Changes to a bot's service so that it matches the file. The service of an embedded bot never
 * changes.
 */
function changesOfService(
  path: Path,
  { email, details: declared }: DeclaredBot,
  row: BotRow | undefined,
): Change[] {
  const { payloadUrl = row?.payloadUrl, interfaceType = row?.interfaceType } = declared;
  const before = row?.configData ?? "{}";
  const serviceName = declared.serviceName ?? row?.serviceName ?? "";
  const configData =
    declared.configData === undefined
      ? before
      : mergeConfig(serviceName, before, JSON.parse(declared.configData));
  const details = {
    ...(payloadUrl === row?.payloadUrl ? {} : { payloadUrl }),
    ...(interfaceType === row?.interfaceType ? {} : { interfaceType }),
    ...(configData === before ? {} : { configData }),
  };
  return Object.keys(details).length === 0 ? [] : [changeService(path, email, details)];
}

const traitsOf = ({ kind, owner }: DeclaredBot) =>
  [...(kind === botKinds.generic ? [] : [botKindName(kind)]), `owner ${owner}`].join(", ");

const addBot = (path: Path, bot: DeclaredBot): Change => ({
  lines: [`+ bot ${bot.email} (${traitsOf(bot)})`],
  path,
  addedEmail: bot.email,
  async carryOut(work) {
    const { email, name, owner, kind } = bot;
    const toCreate = {
      email,
      fullName: name,
      ownerId: userId(work, owner),
      kind,
      details: newDetails(bot),
    };
    const { id, emailKey } = await createBotIn(work.tx, work.ctx, toCreate);
    work.users.set(emailKey, id);
  },
});

/** Details of a new bot. By default an outgoing webhook has chatd's own form and no address. */
const newDetails = ({ kind, details }: DeclaredBot) =>
  kind === botKinds.outgoingWebhook
    ? { payloadUrl: "", interfaceType: interfaceTypes.own, ...details }
    : details;

const changeService = (path: Path, email: string, details: BotService): Change => ({
  lines: [`~ bot ${email}: ${botServiceKeys(details).join(", ")}`],
  path,
  async carryOut(work) {
    const { tx, ctx } = work;
    const bot = await loadUser(tx, ctx.realm.id, userId(work, email));
    await storeDetails(tx, bot, details);
    await announceDetails(tx, bot, ["services"]);
  },
});

/** Whether a file can declare bots of a kind. */
export const isDeclarableBot = ({ botType }: Pick<UserRow, "botType">) =>
  [...botKindsByName.values()].some((kind) => kind === botType);

const dumpBots = ({ accounts, stored }: Dumping) =>
  [...accounts.values()].filter(isDeclarableBot).map(({ id, email, fullName, ...account }) => ({
    email,
    name: fullName,
    kind: botKindName(account.botType),
    owner: accounts.get(account.botOwnerId ?? 0)?.email,
    ...dumpService(account.botType, stored.bots.get(id)),
  }));

function dumpService(kind: number | null, row: BotRow | undefined) {
  if (kind === botKinds.outgoingWebhook)
    return present({
      payload_url: row?.payloadUrl || undefined,
      interface: Object.entries(interfaceTypes).find(([, one]) => one === row?.interfaceType)?.[0],
    });
  if (kind !== botKinds.embedded) return {};
  return present({ service: row?.serviceName, config: JSON.parse(row?.configData ?? "{}") });
}

/** Changes that deactivate undeclared bots of kinds that a file can declare. */
/** The line of a bot that is deactivated because it is not declared. */
export const prunedBotLine = ({ email }: Pick<UserRow, "email">) =>
  `- bot ${email}: not declared, deactivated`;

function pruneBots({ declaration, stored }: Planning): Change[] {
  const declared = new Set(declaration.bots.map(({ email }) => emailKeyOf(email)));
  return stored.users
    .filter((row) => row.isActive && isDeclarableBot(row) && !declared.has(row.emailKey))
    .map(({ id, email }) => ({
      lines: [prunedBotLine({ email })],
      path: ["bots"],
      prunes: "bots",
      carryOut: ({ tx, ctx }) => deactivateUserIn(tx, ctx, id),
    }));
}
