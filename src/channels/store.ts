import { and, eq } from "drizzle-orm";
import type { Tx } from "../core/context";
import { onlyRow } from "../core/write";
import type { ChannelRow } from "./queries";

/** Changes columns of a channel; answers its row. Announces nothing. */
export async function storeChannel(
  tx: Tx,
  channel: ChannelRow,
  values: Partial<ChannelRow>,
): Promise<ChannelRow> {
  const { channels } = tx.t;
  const isChannel = and(eq(channels.realmId, channel.realmId), eq(channels.id, channel.id));
  return onlyRow(await tx.db.update(channels).set(values).where(isChannel).returning());
}
