import { type Static, Type } from "@sinclair/typebox";
import type { SendStep } from "../core/steps";
import type { JobEntry } from "../jobs/define";
import type { BotKind } from "../people/bots/kinds";

/** Payload of the job in which a bot that answers by itself answers a message. */
export const Addressed = Type.Object({
  messageId: Type.Integer(),
  botId: Type.Integer(),
  trigger: Type.Union([Type.Literal("mention"), Type.Literal("direct_message")]),
});

export type AddressedMessage = Static<typeof Addressed>;

/**
 * Makes the step that lets the bots of a kind answer, by a job, each new message that is for them:
 * in a conversation those who are in it, in a channel those whom it mentions by name. Messages of
 * bots are for nobody, so that no two bots talk to each other for ever. Each bot answers one
 * message after the other. Costs nothing where it is for none. Source: recorded behaviour of the
 * reference server.
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
      await answer.enqueue(tx, moment, addressed, { lane: String(bot.id) });
    }
  },
});
