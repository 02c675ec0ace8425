import type { Outbound } from "../../core/network/outbound";
import type { Finish, JobContext } from "../../jobs/define";
import { botKinds } from "../../people/bots/kinds";
import {
  type Answering,
  findAnswering,
  prepareAnswer,
  sendAnswer,
  type Trouble,
  tellOwner,
} from "../answer";
import type { AddressedMessage } from "../answer-step";
import { codeBlock } from "../incoming-webhooks/safe-text";
import { interfaceTypes } from "../outgoing";
import { openToken } from "../visible-details";
import { payloadFor, withoutToken } from "./payload";
import { isPassing, isSuccess, postPayload } from "./post";
import { readReply } from "./reply";

/** Time for which a receiver that does not answer is tried; an older message is tried once. */
const patienceSeconds = 1_800;
/** Length of an unusable answer that the bot's owner gets. */
const shownLengthMax = 1_000;

type End = Finish<AddressedMessage> | undefined;

/** The work of `deliverWebhook`. Rejects where it must be tried again. */
export async function deliver(
  ctx: JobContext,
  addressed: AddressedMessage,
  signal: AbortSignal,
): Promise<End> {
  const answering = await findAnswering(ctx, botKinds.outgoingWebhook, addressed);
  const token = answering && openToken(ctx.app.secrets, answering.row);
  if (!answering || token === undefined || answering.row.payloadUrl === "") return undefined;
  const { row, message } = answering;
  if (row.interfaceType === interfaceTypes.slack && message.channelId === null) {
    return fail(answering, { reason: "Slack's form has no direct messages." });
  }
  const outcome = await postPayload(ctx, row, await payloadFor(answering, token), signal);
  const isLate = ctx.app.clock.now() >= message.sentAt + patienceSeconds;
  if (isPassing(outcome) && !isLate) throw new Error(reasonOf(outcome));
  return finish(answering, outcome, token);
}

function finish(answering: Answering, outcome: Outbound, token: string): Promise<End> | End {
  if (outcome.is !== "answered") return fail(answering, { reason: reasonOf(outcome) });
  const { status, body } = outcome;
  const details = shownAnswer(body, token);
  if (!isSuccess(status)) return fail(answering, { reason: reasonOf(outcome), details });
  const reply = readReply(answering.row.interfaceType, body);
  if (reply.is === "invalid") return fail(answering, { reason: reply.reason, details });
  return reply.is === "nothing" ? undefined : endWithAnswer(answering, reply.content);
}

const reasonOf = (outcome: Outbound) =>
  outcome.is === "answered"
    ? `The receiver answered with the status ${outcome.status}.`
    : outcome.reason;

/** Error pages often repeat the posted data. */
function shownAnswer(body: Uint8Array, token: string): string {
  const text = withoutToken(
    new TextDecoder().decode(body.subarray(0, 4 * shownLengthMax)),
    token,
  ).slice(0, shownLengthMax);
  return text.trim() === "" ? "" : `It answered:\n\n${codeBlock(text)}`;
}

async function endWithAnswer(answering: Answering, content: string): Promise<End> {
  const prepared = await prepareAnswer(answering, content);
  return async (tx) => {
    if (prepared) await sendAnswer(tx, answering, prepared);
    return undefined;
  };
}

/** The bot tells the sender that it failed; only its owner gets the reason. */
async function fail(answering: Answering, trouble: Trouble): Promise<End> {
  const { bot, message } = answering;
  const prepared = await prepareAnswer(answering, "Failure! The bot is unavailable.");
  return async (tx, ctx) => {
    if (prepared) await sendAnswer(tx, answering, prepared);
    await tellOwner(tx, ctx, { botId: bot.id, messageId: message.id }, trouble);
    return undefined;
  };
}
