import type { Tx, UserRow } from "../../core/context";
import { roles } from "../../core/rights/role";
import { listBots } from "../users/queries";
import { botAdded, botRemoved } from "./events";
import { botWire } from "./wire";

const isAdministrator = ({ role }: UserRow) => role <= roles.administrator;

/**
 * Announces all other people's bots to a new administrator, and removes them from the clients of a
 * former one. Events: realm_bot add or delete, to that user.
 */
export async function announceBots(tx: Tx, before: UserRow, after: UserRow) {
  if (isAdministrator(before) === isAdministrator(after)) return;
  const bots = await listBots(tx, after.realmId);
  for (const bot of bots.filter(({ botOwnerId }) => botOwnerId !== after.id)) {
    const event = isAdministrator(after)
      ? botAdded({ bot: botWire(bot) })
      : botRemoved({ bot: { user_id: bot.id } });
    await tx.emit({ to: "users", ids: [after.id] }, event);
  }
}
