import { and, eq, or } from "drizzle-orm";
import type { LoggedEvent, Tx, UserRow } from "../../core/context";
import { roles } from "../../core/rights/role";
import { findUser } from "../users/queries";
import { botAdded, botChanged, botRemoved } from "./events";
import { type BotObject, botWire } from "./wire";

/** Roles below administrators, because administrators are in the audience of all bots. */
const belowAdministrators = { from: roles.administrator + 1, to: roles.guest };

/** Announces a bot to administrators and its owner. Event: realm_bot add. */
export const announceBot = (tx: Tx, bot: UserRow) => tell(tx, bot, botAdded({ bot: botWire(bot) }));

/**
 * Announces changed details of a bot to administrators and its owner. Event: realm_bot update. The
 * log has the names of the details but neither tokens nor channel names: their values are read at
 * delivery (`makeBotPresenter`).
 */
export async function announceDetails(
  tx: Tx,
  bot: UserRow,
  names: readonly (keyof Omit<BotObject, "user_id">)[],
) {
  const blank = botWire(bot);
  const changed = Object.fromEntries(names.map((name) => [name, blank[name]]));
  if (names.length > 0) await tell(tx, bot, botChanged({ bot: { user_id: bot.id, ...changed } }));
}

async function tell(tx: Tx, { botOwnerId }: UserRow, event: LoggedEvent) {
  await tx.emit({ to: "administrators" }, event);
  if (botOwnerId !== null)
    await tx.emit({ to: "users", ids: [botOwnerId], roles: belowAdministrators }, event);
}

/**
 * Announces a bot to its new owner and removes it from the former one's clients; administrators
 * keep it.
 */
export async function announceNewOwner(tx: Tx, before: UserRow, after: UserRow) {
  const to = (ownerId: number | null, event: LoggedEvent) =>
    ownerId === null
      ? undefined
      : tx.emit({ to: "users", ids: [ownerId], roles: belowAdministrators }, event);
  await to(before.botOwnerId, botRemoved({ bot: { user_id: after.id } }));
  await to(after.botOwnerId, botAdded({ bot: botWire(after) }));
}

/**
 * Announces the new name of a channel to people who see it as a default of bots. Events: realm_bot
 * update.
 */
export async function announceRenamedDefault(tx: Tx, realmId: number, channelId: number) {
  const { bots } = tx.t;
  const rows = await tx.db
    .select()
    .from(bots)
    .where(
      and(
        eq(bots.realmId, realmId),
        or(eq(bots.defaultSendingChannelId, channelId), eq(bots.defaultEventsChannelId, channelId)),
      ),
    );
  for (const row of rows) {
    const bot = await findUser(tx, realmId, row.userId);
    const names = [
      ...(row.defaultSendingChannelId === channelId ? (["default_sending_stream"] as const) : []),
      ...(row.defaultEventsChannelId === channelId
        ? (["default_events_register_stream"] as const)
        : []),
    ];
    if (bot) await announceDetails(tx, bot, names);
  }
}
