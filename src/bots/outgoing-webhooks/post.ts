import type { Context } from "../../core/context";
import { type Outbound, outboundRequest } from "../../core/network/outbound";
import type { BotRow } from "../../people/bots/queries";
import type { Payload } from "./payload";

const timeoutMilliseconds = 10_000;
const responseBytesMax = 1_048_576;

/** Posts a payload to a bot's address. */
export const postPayload = (
  ctx: Context,
  { payloadUrl }: BotRow,
  { contentType, body }: Payload,
  signal?: AbortSignal,
): Promise<Outbound> =>
  outboundRequest(ctx, payloadUrl, {
    method: "POST",
    headers: { "Content-Type": contentType, "User-Agent": "chatd-OutgoingWebhook" },
    body,
    timeoutMilliseconds,
    responseBytesMax,
    ...(signal ? { signal } : {}),
  });

/** Whether something is answered with success. */
export const isSuccess = (status: number) => status >= 200 && status < 300;

/**
 * Whether another try may succeed a little later, because the other side is overloaded or broken
 * now.
 */
export const isPassing = (outcome: Outbound): boolean =>
  outcome.is === "unreachable" ||
  outcome.is === "timedOut" ||
  (outcome.is === "answered" &&
    (outcome.status >= 500 || outcome.status === 408 || outcome.status === 429));
