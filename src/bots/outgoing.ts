import { badRequest } from "../core/errors";
import { makeApiKey } from "../core/secrets/secrets";

const payloadUrlLengthMax = 2_000;

/** Forms of posts to an outgoing webhook: chatd's own, or Slack's. */
export const interfaceTypes = { own: 1, slack: 2 } as const;

/** Spaces and control characters, which parsers of addresses ignore, each in its own way. */
const notInUrls = /[\p{Cc}\s]/u;

/**
 * The stored address of an outgoing webhook; empty for none. Refuses (BAD_REQUEST) a text that is
 * no web address, one with a user name or a password in it, and one of more than 2,000 characters.
 */
export function cleanPayloadUrl(url: string): string {
  const trimmed = url.trim();
  if (trimmed === "") return "";
  const parsed =
    trimmed.length <= payloadUrlLengthMax && !notInUrls.test(trimmed) ? URL.parse(trimmed) : null;
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) {
    throw badRequest(
      "The payload URL must begin with http:// or https:// and have at most 2,000 characters.",
    );
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw badRequest(
      "The payload URL must not hold a user name or a password: check the token that is sent along.",
    );
  }
  return trimmed;
}

/** Refuses (BAD_REQUEST) an unknown form of posts. */
export function readInterfaceType(value: number): number {
  if (value === interfaceTypes.own || value === interfaceTypes.slack) return value;
  throw badRequest("Invalid interface: use 1 (chatd's own form) or 2 (the form of Slack).");
}

/** A token that each post contains: 32 characters. */
export const makeWebhookToken = () => makeApiKey();

/** Purpose that a bot's token is sealed for. */
export const tokenPurpose = (botId: number) => `webhook token of bot ${botId}`;
