import { type Static, Type } from "@sinclair/typebox";
import type { App, RealmMoment, Tx, UserRow } from "../../core/context";
import { jobEntry } from "../../jobs/define";
import { botKinds } from "./kinds";

/** Payload of the job in which a bot that answers by itself answers a message. */
export const Addressed = Type.Object({
  messageId: Type.Integer(),
  botId: Type.Integer(),
  trigger: Type.Union([Type.Literal("mention"), Type.Literal("direct_message")]),
});

export type AddressedMessage = Static<typeof Addressed>;

/** The names of the work that lets bots answer. */
export const answerJobs = {
  outgoingWebhook: "outgoing_webhook",
  embedded: "embedded_bot",
} as const;

const entries = new Map([
  [botKinds.outgoingWebhook, jobEntry<AddressedMessage>(answerJobs.outgoingWebhook)],
  [botKinds.embedded, jobEntry<AddressedMessage>(answerJobs.embedded)],
]);

const entryOf = ({ botType }: UserRow) => [...entries].find(([kind]) => kind === botType)?.[1];

/**
 * Whether a user is a bot that answers by itself: an outgoing webhook, or one of the server's own
 * services.
 */
export const isAnswering = (user: UserRow): boolean =>
  user.botType !== null && entryOf(user) !== undefined;

/** A message that was just stored, with those of its readers whom it could be for. */
interface StoredMessage {
  id: number;
  sender: UserRow;
  /** The people of its direct conversation; nobody for one in a channel. */
  participants: readonly UserRow[];
  /** Bots that it mentions by their names and that may read it. */
  mentionedBots: readonly UserRow[];
}

/**
 * Lets the bots answer that a message is for: in a conversation those who are in it, in a channel
 * those whom it mentions by name. Messages of bots are for nobody, so that no two bots talk to each
 * other for ever. Each bot answers one message after the other. Costs nothing where it is for none.
 * Source: recorded behaviour of the reference server.
 */
export async function letAddressedAnswerIn(
  tx: Tx,
  moment: RealmMoment & { app: Pick<App, "jobs"> },
  { id, sender, participants, mentionedBots }: StoredMessage,
): Promise<void> {
  if (sender.botType !== null) return;
  const trigger = participants.length > 0 ? "direct_message" : "mention";
  for (const bot of participants.length > 0 ? participants : mentionedBots) {
    if (!bot.isActive || bot.botType === null) continue;
    await entryOf(bot)?.enqueue(
      tx,
      moment,
      { messageId: id, botId: bot.id, trigger },
      { lane: String(bot.id) },
    );
  }
}
