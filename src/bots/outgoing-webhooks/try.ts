import type { Context, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record, text } from "../../core/params";
import { renderWritten } from "../../messages/rendering/render";
import { botKinds } from "../../people/bots/kinds";
import { findBotRow } from "../../people/bots/queries";
import { findUser, loadUser } from "../../people/users/queries";
import type { FullMessage } from "../../reading/wire";
import { botContext } from "../answer";
import { interfaceTypes } from "../outgoing";
import { openToken } from "../visible-details";
import { type Payload, payloadFor, withoutToken } from "./payload";
import { isSuccess, postPayload } from "./post";
import { type Reply, readReply } from "./reply";

const TryWebhook = record({ botId: id(), content: text() });

/** Outcome of a trial. */
export interface Trial {
  url: string;
  /** The posted payload, with its token hidden. */
  request: Payload;
  milliseconds: number;
  /** The answer, or why there is none. */
  answer: { status: number; contentType: string; body: string } | { problem: string };
  /** Answer that the bot would give; undefined if the receiver's answer is a failure. */
  reply: Reply | undefined;
}

/**
 * Posts an invented message of the bot's owner to an outgoing webhook, once and now, and answers
 * the outcome; nothing is stored or sent. Refuses (BAD_REQUEST) a bot that is no outgoing webhook,
 * and one without an address.
 */
export async function tryWebhook(
  ctx: Context,
  { botId, content }: Input<typeof TryWebhook>,
): Promise<Trial> {
  const { app, reader, realm } = ctx;
  const bot = await loadUser(reader, realm.id, botId);
  const row = await findBotRow(reader, realm.id, botId);
  const token = row && openToken(app.secrets, row);
  if (bot.botType !== botKinds.outgoingWebhook || !row || token === undefined) {
    throw badRequest(`${bot.email} is no outgoing webhook.`);
  }
  if (row.payloadUrl === "") {
    throw badRequest(
      `${bot.email} has no payload URL, to which to post. Give it one: chatd admin bot set --payload-url`,
    );
  }
  const owner =
    bot.botOwnerId === null ? undefined : await findUser(reader, realm.id, bot.botOwnerId);
  const isDirect = row.interfaceType !== interfaceTypes.slack;
  const message = await makeMessage(
    ctx,
    owner ?? bot,
    isDirect ? [owner ?? bot, bot] : [],
    content,
  );
  const trigger = isDirect ? "direct_message" : "mention";
  const payload = await payloadFor(
    { ctx: botContext(ctx, bot), bot, row, message, trigger },
    token,
  );
  const before = app.clock.nowMilliseconds();
  const outcome = await postPayload(ctx, row, payload);
  const milliseconds = app.clock.nowMilliseconds() - before;
  const request = { ...payload, body: withoutToken(payload.body, token) };
  const common = { url: row.payloadUrl, request, milliseconds };
  if (outcome.is !== "answered")
    return { ...common, answer: { problem: outcome.reason }, reply: undefined };
  const { status, headers, body } = outcome;
  return {
    ...common,
    answer: {
      status,
      contentType: headers.get("content-type") ?? "",
      body: withoutToken(new TextDecoder().decode(body), token),
    },
    reply: isSuccess(status) ? readReply(row.interfaceType, body) : undefined,
  };
}

/** An invented message; in a channel it has no participants. */
async function makeMessage(
  ctx: Context,
  sender: UserRow,
  participants: UserRow[],
  content: string,
): Promise<FullMessage> {
  const isDirect = participants.length > 0;
  return {
    id: 0,
    senderId: sender.id,
    sender,
    content,
    participants,
    renderedContent: (await renderWritten(ctx.reader, ctx, content)).html,
    channelId: isDirect ? null : 0,
    sentChannelId: isDirect ? null : 0,
    placedAt: 0,
    conversationId: isDirect ? 0 : null,
    channelName: isDirect ? undefined : "test",
    topic: isDirect ? "" : "test",
    client: ctx.client,
    sentAt: ctx.now,
    readBySender: true,
    mentionsAllOf: null,
    lastEditedAt: null,
    lastMovedAt: null,
    edits: [],
    reactions: [],
    submessages: [],
    topicLinks: [],
  };
}
