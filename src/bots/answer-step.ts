import { type Static, Type } from "@sinclair/typebox";
import type { Tx } from "../core/context";
import type { SendMoment, SendStep } from "../core/steps";
import type { JobEntry } from "../jobs/define";
import type { BotKind } from "../people/bots/kinds";
import { sendOwnerNotice } from "./owner-notice";

/** Payload of the job in which a bot of the server answers a message. */
export const Addressed = Type.Object({
  messageId: Type.Integer(),
  botId: Type.Integer(),
  trigger: Type.Union([Type.Literal("mention"), Type.Literal("direct_message")]),
});

export type AddressedMessage = Static<typeof Addressed>;

/**
 * Makes the step that lets bots of a kind answer, by a job, each new message that is for them: in a
 * conversation its participants, in a channel bots mentioned by name. Messages of bots are ignored,
 * so that no two bots talk to each other for ever. Each bot answers one message after another.
 * Where too many messages wait for a bot, or for all bots of its owner, it answers only the newest
 * further one, and the owner is told. Messages for no bot cost nothing. Source: recorded behaviour
 * of the reference server.
 */
export const botsAnswer = (
  name: string,
  kind: BotKind,
  answer: JobEntry<AddressedMessage>,
): SendStep => ({
  name,
  async run(tx, moment, { id, sender, participants, bots }) {
    if (sender.botType !== null) return;
    const trigger = participants.length > 0 ? "direct_message" : "mention";
    for (const bot of participants.length > 0 ? participants : bots) {
      if (!bot.isActive || bot.botType !== kind) continue;
      const addressed: AddressedMessage = { messageId: id, botId: bot.id, trigger };
      const lane = String(bot.id);
      const holder = { id: bot.botOwnerId ?? bot.id, part: lane };
      const onDropped = () => tellOfLost(tx, moment, bot.id);
      await answer.enqueue(tx, moment, addressed, { lane, holder, onDropped });
    }
  },
});

/** Tells a bot's owner that some messages for it are lost, because too many wait. */
export const tellOfLost = (tx: Tx, moment: SendMoment, botId: number) =>
  sendOwnerNotice(
    tx,
    moment,
    botId,
    (named) =>
      `Too many messages wait ${named}, or for all of your bots, because it answers too slowly or not at all. So it will not get some of them: of further messages, only the newest is kept.`,
    "lost",
  );
