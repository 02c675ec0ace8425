import { type BotDetails, mergeConfig } from "../../bots/details";
import { loadEmbeddedService } from "../../bots/embedded";
import { cleanPayloadUrl, interfaceTypes } from "../../bots/outgoing";
import { badRequest } from "../../core/errors";
import { type BotKind, botKinds } from "../../people/bots/kinds";
import { cleanEmail } from "../../people/users/email-address";
import { cleanFullName } from "../../people/users/names";
import { type Node, openMapping, readText, requireText } from "./decode";
import { attempt, type Path, type Problem } from "./problems";

export interface DeclaredBot {
  email: string;
  name: string;
  /** The owner's e-mail address. */
  owner: string;
  kind: BotKind;
  /** Facts beside its account, as far as the file gives them. */
  details: BotService;
}

/** Way to reach a bot, or the kind of service that it is. */
export type BotService = Pick<
  BotDetails,
  "payloadUrl" | "interfaceType" | "serviceName" | "configData"
>;

const kinds: ReadonlyMap<string, BotKind> = new Map([
  ["generic", botKinds.generic],
  ["incoming-webhook", botKinds.incomingWebhook],
  ["outgoing-webhook", botKinds.outgoingWebhook],
  ["embedded", botKinds.embedded],
]);

/** The name of a kind of bots, as the file has it. */
export const botKindName = (kind: number | null) =>
  [...kinds].find(([, one]) => one === kind)?.[0] ?? "unknown";

const serviceKeys = {
  payloadUrl: "payload_url",
  interfaceType: "interface",
  serviceName: "service",
  configData: "config",
} as const;

/** Facts about a bot that the file gives, by the names of the file. */
export const botServiceKeys = (details: BotService): string[] =>
  Object.entries(serviceKeys).flatMap(([name, key]) => (name in details ? [key] : []));

/** The keys that only bots of a kind have. */
const ownKeys: Partial<Record<BotKind, readonly string[]>> = {
  [botKinds.outgoingWebhook]: ["payload_url", "interface"],
  [botKinds.embedded]: ["service", "config"],
};
const keys = ["email", "name", "kind", "owner", ...Object.values(ownKeys).flat()];

/** Reads a bot; what is wrong is noted with its place. */
export function readBot(
  problems: Problem[],
  { path, value }: { path: Path; value: unknown },
): DeclaredBot {
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
  const kind = kinds.get(read);
  if (kind !== undefined) return kind;
  const message = `there is no kind '${read}' of bots. Kinds: ${[...kinds.keys()].join(", ")}.`;
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
  const known: Readonly<Record<string, number>> = interfaceTypes;
  const name = readText(node, "interface", (text) => {
    if (Object.hasOwn(known, text)) return text;
    throw badRequest(
      `there is no interface '${text}'. Interfaces: ${Object.keys(known).join(", ")}.`,
    );
  });
  return name === undefined ? undefined : known[name];
}
