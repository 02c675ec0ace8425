import { topicKey } from "../../channels/topics/empty-topic";
import { roles } from "../../core/rights/role";
import type { Finish, JobContext } from "../../jobs/define";
import { botKinds } from "../../people/bots/kinds";
import { findUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { filterReadable, findMessages, type MessageRow } from "../../reading/queries";
import { type Answering, findAnswering, prepareAnswer, sendAnswer } from "../answer";
import type { AddressedMessage } from "../answer-step";
import { findEntries, listEntries } from "../bot-storage/queries";
import { forgetIn, storeIn } from "../bot-storage/service";
import { loadEmbeddedService } from "../embedded";
import type { Asked, EmbeddedBot } from "./embedded-bot";
import { faq } from "./faq";
import { standup } from "./standup";

const services: Readonly<Record<string, EmbeddedBot>> = { faq, standup };

/**
 * Lets an embedded bot answer a message that is for it. One write stores its entries and its
 * message.
 */
export async function respond(
  ctx: JobContext,
  addressed: AddressedMessage,
): Promise<Finish<AddressedMessage> | undefined> {
  const answering = await findAnswering(ctx, botKinds.embedded, addressed);
  const serve = services[answering?.row.serviceName ?? ""];
  if (!answering || !serve) return undefined;
  const answer = await serve(await askedOf(answering));
  const { says, authorId = null, stores = {}, forgets = [] } = answer;
  const prepared = await prepareAnswer(answering, says, { authorId });
  const entries = Object.entries(stores).map(([key, value]) => ({ key, value }));
  return async (tx) => {
    const current = await renewContext(tx, answering.ctx);
    const { id } = answering.bot;
    if (forgets.length > 0)
      await forgetIn(tx, current, await findEntries(tx, ctx.realm.id, id, [...forgets]));
    if (entries.length > 0) await storeIn(tx, current, entries);
    if (prepared) await sendAnswer(tx, answering, prepared);
    return undefined;
  };
}

async function askedOf({ ctx, bot, row, message }: Answering): Promise<Asked> {
  const { reader, realm, now } = ctx;
  const asker = await findUser(reader, realm.id, message.senderId);
  const { sender } = message;
  return {
    text: textFor(bot, message.content),
    messageId: message.id,
    asker: { id: message.senderId, fullName: sender.fullName },
    isTrusted:
      message.senderId === bot.botOwnerId || (asker?.role ?? roles.guest) <= roles.administrator,
    ownerId: bot.botOwnerId,
    place: placeOf(message),
    config: { ...loadEmbeddedService(row.serviceName ?? "").config, ...JSON.parse(row.configData) },
    now,
    async read(messageIds) {
      if (!asker) return new Map();
      const who = { realmId: realm.id, userId: asker.id, role: asker.role };
      const found = await findMessages(reader, realm.id, messageIds);
      const there = found.filter((one) => placeOf(one) === placeOf(message));
      const readable = await filterReadable(reader, who, there);
      return new Map(readable.map(({ id, content }) => [id, textFor(bot, content)]));
    },
    find: async (key) => (await findEntries(reader, realm.id, bot.id, [key]))[0]?.value,
    list: () => listEntries(reader, realm.id, bot.id),
  };
}

const placeOf = ({ channelId, conversationId, topic }: MessageRow) =>
  channelId === null ? `conversation ${conversationId}` : `channel ${channelId} ${topicKey(topic)}`;

/** Without a mention of the bot at its beginning. */
function textFor({ id, fullName }: { id: number; fullName: string }, content: string): string {
  const names = [`@**${fullName}**`, `@**${fullName}|${id}**`];
  const name = names.find((one) => content.trimStart().startsWith(one)) ?? "";
  return content.trimStart().slice(name.length).replace(/^[,:]/, "").trim();
}
