import type { Context, Person, Tx, UserRow } from "../core/context";
import { ApiError, isRefusal } from "../core/errors";
import type { JobContext } from "../jobs/define";
import {
  foreignWords,
  type PreparedMessage,
  prepareMessage,
  sendPrepared,
} from "../messages/send/send";
import type { BotKind } from "../people/bots/kinds";
import { type BotRow, findBotRow } from "../people/bots/queries";
import { findUser } from "../people/users/queries";
import { messageAddress } from "../reading/message-address";
import { filterReadable, findMessages, findReadableMessage } from "../reading/queries";
import { readMessage } from "../reading/texts";
import type { FullMessage } from "../reading/wire";
import { type AddressedMessage, tellOfLost } from "./answer-step";
import { namesSomething, sendOwnerNotice } from "./owner-notice";

/** A bot at the moment of its answer, and the message that it answers. */
export interface Answering {
  /** Context with the bot as the actor. */
  ctx: Context<Person>;
  bot: UserRow;
  row: BotRow;
  message: FullMessage;
  trigger: AddressedMessage["trigger"];
}

/**
 * The present message and the bot that is to answer it. Undefined when it must not answer any more:
 * the bot or its owner is deactivated, the message is deleted, or the bot may not read it in its
 * present place.
 */
export async function findAnswering(
  ctx: JobContext,
  kind: BotKind,
  { messageId, botId, trigger }: AddressedMessage,
): Promise<Answering | undefined> {
  const { reader, realm } = ctx;
  const bot = await findUser(reader, realm.id, botId);
  const row = await findBotRow(reader, realm.id, botId);
  if (!bot?.isActive || bot.botType !== kind || !row) return undefined;
  const owner =
    bot.botOwnerId === null ? undefined : await findUser(reader, realm.id, bot.botOwnerId);
  if (owner && !owner.isActive) return undefined;
  const asBot = botContext(ctx, bot);
  const isReadable = (await findReadableMessage(reader, asBot, messageId)) !== undefined;
  const message = isReadable ? await readMessage(reader, realm.id, messageId) : undefined;
  return message && { ctx: asBot, bot, row, message, trigger };
}

/** No API key, because a bot's answer comes without a request. */
export const botContext = (ctx: Context, bot: UserRow): Context<Person> => ({
  ...ctx,
  client: "OutgoingWebhookResponse",
  actor: { kind: "bot", user: bot, apiKeyId: 0 },
});

/**
 * Answer of a bot, only to the place where it was addressed (`docs/protocol/security-cases.md`,
 * E2): the topic that the message is in, or its conversation. It is sent with `sendPrepared`, which
 * checks whether the bot may send there. `words`: who has chosen the text, which may repeat that of
 * the message. Undefined for an empty text.
 */
export async function prepareAnswer(
  { ctx, bot, message }: Answering,
  content: string,
  words = foreignWords,
): Promise<PreparedMessage | undefined> {
  if (content.trim() === "") return undefined;
  const { channelId, topic, participants } = message;
  const others = participants.map(({ id }) => id).filter((id) => id !== bot.id);
  return channelId === null
    ? prepareMessage(ctx, { type: "direct", to: others, content }, words)
    : prepareMessage(ctx, { type: "channel", to: channelId, topic, content }, words);
}

/** Sends an answer of `prepareAnswer`. */
export const sendAnswer = (tx: Tx, { ctx }: Answering, prepared: PreparedMessage) =>
  sendPrepared(tx, { ...ctx, now: tx.now }, prepared);

/** Reason why a bot could not answer, for its owner. */
export interface Trouble {
  reason: string;
  /** More of the reason that may name the place, for an owner who may read the message. */
  reasonThere?: string;
  /** Markdown. */
  details?: string;
}

/**
 * Tells the owner of a bot that it could not answer, as Notification Bot, unless they were told
 * recently. The message itself is not quoted, and its place is told only to an owner who may read
 * it there.
 */
export async function tellOwner(
  tx: Tx,
  ctx: Context,
  { botId, messageId }: Pick<AddressedMessage, "botId" | "messageId">,
  { reason, reasonThere, details = "" }: Trouble,
): Promise<void> {
  await sendOwnerNotice(tx, ctx, botId, async (named, owner) => {
    const found = await findMessages(tx, ctx.realm.id, [messageId]);
    const reader = { realmId: ctx.realm.id, userId: owner.id, role: owner.role };
    const [message] = await filterReadable(tx, reader, found);
    const what = message
      ? `[A message](${await messageAddress(tx, ctx.realm.id, message)})`
      : "A message";
    const why = message && reasonThere ? `${reason} ${reasonThere}` : reason;
    return `${what} ${named} could not be answered: ${why}\n\n${details}`;
  });
}

/**
 * Options of a job that lets bots answer. If the bot may not send its answer, its owner is told,
 * and the job ends. The owner is also told if the job loses its place to a newer one.
 */
export const answerRefused = {
  isFinal: isRefusal,
  onFinalFailure: async (tx: Tx, ctx: JobContext, addressed: AddressedMessage, error: unknown) => {
    await tellOwner(tx, ctx, addressed, refusalOf(error));
  },
  onReplaced: (tx: Tx, ctx: JobContext, { botId }: AddressedMessage) => tellOfLost(tx, ctx, botId),
};

function refusalOf(error: unknown): Trouble {
  const refused = "its answer was refused.";
  if (!(error instanceof ApiError))
    return { reason: `${refused} Something went wrong on the server.` };
  return namesSomething(error)
    ? { reason: refused, reasonThere: error.message }
    : { reason: `${refused} ${error.message}` };
}
