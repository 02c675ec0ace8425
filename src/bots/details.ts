import { and, eq } from "drizzle-orm";
import { loadKnownChannel } from "../channels/queries";
import type { Context, Tx, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { isRecord } from "../core/json/record";
import { flag, optional, text } from "../core/params";
import { onlyRow } from "../core/write";
import type { BotRow } from "../people/bots/queries";
import { requireFits } from "./embedded";

/** Facts about a bot in addition to its account, without its storage. */
export type BotDetails = Partial<Omit<BotRow, "realmId" | "userId" | "storageBytes">>;

/**
 * The parameters for a bot's default channels and events, which apply where its requests leave them
 * open.
 */
export const defaultParameters = {
  defaultSendingStream: optional(text()),
  defaultEventsRegisterStream: optional(text()),
  defaultAllPublicStreams: optional(flag()),
};

interface GivenDefaults {
  defaultSendingStream?: string;
  defaultEventsRegisterStream?: string;
  defaultAllPublicStreams?: boolean;
}

/**
 * Default channels of the input, by channel id; an empty name means no channel. Refuses
 * (BAD_REQUEST) a channel that the actor may not know like a missing one.
 */
export async function readDefaults(
  tx: Tx,
  ctx: Context,
  given: GivenDefaults,
): Promise<BotDetails> {
  const channelId = async (name: string) =>
    name === "" ? null : (await loadKnownChannel(ctx, tx, { name })).channel.id;
  const {
    defaultSendingStream: sending,
    defaultEventsRegisterStream: events,
    defaultAllPublicStreams: all,
  } = given;
  return {
    ...(sending === undefined ? {} : { defaultSendingChannelId: await channelId(sending) }),
    ...(events === undefined ? {} : { defaultEventsChannelId: await channelId(events) }),
    ...(all === undefined ? {} : { defaultAllPublicChannels: all }),
  };
}

/** Stores details of a bot, without events; details that are not given stay unchanged. */
export async function storeDetails(tx: Tx, bot: UserRow, details: BotDetails): Promise<BotRow> {
  const { bots } = tx.t;
  const key = { realmId: bot.realmId, userId: bot.id };
  await tx.db
    .insert(bots)
    .values({ ...key, ...details })
    .onConflictDoNothing();
  if (Object.keys(details).length > 0) await tx.db.update(bots).set(details).where(isBot(tx, bot));
  return onlyRow(await tx.db.select().from(bots).where(isBot(tx, bot)));
}

const isBot = ({ t: { bots } }: Tx, { realmId, id }: UserRow) =>
  and(eq(bots.realmId, realmId), eq(bots.userId, id));

const configLengthMax = 10_000;

/** Whether a value is an object of texts, the form of `config_data`. */
export const isTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((one) => typeof one === "string");

/**
 * Configuration of a service: new values merged into the earlier ones. Refuses (BAD_REQUEST) values
 * that are not texts, unknown names, and too much data.
 */
export function mergeConfig(serviceName: string, before: string, given: unknown): string {
  if (!isTexts(given)) throw badRequest("config_data must be an object of texts.");
  requireFits(serviceName, given);
  const merged = JSON.stringify({ ...JSON.parse(before), ...given });
  if (merged.length > configLengthMax)
    throw badRequest(`config_data may have at most ${configLengthMax} characters.`);
  return merged;
}
