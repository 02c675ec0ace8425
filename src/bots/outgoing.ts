import { badRequest } from "../core/errors";
import { makeApiKey } from "../core/secrets";

const payloadUrlLengthMax = 2_000;

/**
 * Forms in which a message is posted to an outgoing webhook: in chatd's own form, or as Slack does.
 */
export const interfaceTypes = { own: 1, slack: 2 } as const;

/** Spaces and control characters, which parsers of addresses pass over, each in its own way. */
const notInUrls = /[\p{Cc}\s]/u;

/**
 * The address that an outgoing webhook is posted to, as it is stored; empty for none. Refuses
 * (BAD_REQUEST) what is no address of the web, one with a user name or a password in it, and one of
 * more than 2,000 characters.
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

/** Refuses (BAD_REQUEST) a number that stands for no form of posts. */
export function readInterfaceType(value: number): number {
  if (value === interfaceTypes.own || value === interfaceTypes.slack) return value;
  throw badRequest("Invalid interface: use 1 (chatd's own form) or 2 (the form of Slack).");
}

/** A token that is sent along with each post: 32 characters. */
export const makeWebhookToken = () => makeApiKey();

/** Purpose that a bot's token is sealed for. */
export const tokenPurpose = (botId: number) => `webhook token of bot ${botId}`;
