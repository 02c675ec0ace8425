import type { UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";

/**
 * The kinds of bots by their numbers in the protocol (`docs/protocol/specification.md`, User
 * object).
 */
export const botKinds = {
  generic: 1,
  incomingWebhook: 2,
  outgoingWebhook: 3,
  embedded: 4,
} as const;

export type BotKind = (typeof botKinds)[keyof typeof botKinds];

/** The kinds by their names on the command line and in an organization's file. */
export const botKindsByName: ReadonlyMap<string, BotKind> = new Map([
  ["generic", botKinds.generic],
  ["incoming-webhook", botKinds.incomingWebhook],
  ["outgoing-webhook", botKinds.outgoingWebhook],
  ["embedded", botKinds.embedded],
]);

/** The name of a kind. */
export const botKindName = (kind: number | null): string =>
  [...botKindsByName].find(([, one]) => one === kind)?.[0] ?? "unknown";

const kinds: readonly BotKind[] = Object.values(botKinds);

/** The kind with a number; refuses an unknown number (BAD_REQUEST). */
export function readBotKind(value: number): BotKind {
  const kind = kinds.find((one) => one === value);
  if (kind === undefined) {
    throw badRequest(
      "Invalid bot_type: use 1 (generic), 2 (incoming webhook), 3 (outgoing webhook) or 4 (embedded).",
    );
  }
  return kind;
}

/** A bot of a person: neither a person nor a system bot. */
export const isOwnableBot = ({ botType, isSystemBot }: Pick<UserRow, "botType" | "isSystemBot">) =>
  botType !== null && !isSystemBot;
