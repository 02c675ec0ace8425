import type { Reader } from "../../db/reader";
import type { Clock } from "../core/clock";
import type { LogEntry, LoggedEvent } from "../core/context";
import type { Presenter } from "../core/event-hub";
import { plainMembers } from "../core/json/raw-json";
import { isRecord } from "../core/json/record";
import type { Secrets } from "../core/secrets/secrets";
import { botWire } from "../people/bots/wire";
import { findUser, findUsersByIds } from "../people/users/queries";
import { loadRealm } from "../realm/queries";
import { findShownBots, isShownTo } from "./visible-details";

const botOf = ({ bot }: LoggedEvent): Record<string, unknown> => (isRecord(bot) ? bot : {});

/**
 * Writes `realm_bot` events. The log has no tokens and no channel names, so they are as of the
 * delivery, if the recipient may still see the bot.
 */
export function makeBotPresenter(reader: Reader, secrets: Secrets, clock: Clock): Presenter {
  return {
    async late(entries, { userId }) {
      const texts = new Map<number, string>();
      for (const { id, event } of entries.filter((one) => one.event.op === "delete"))
        texts.set(id, plainMembers(event));
      const bringing = entries.filter((one) => one.event.op !== "delete");
      for (const [id, bot] of await shown(bringing, userId)) {
        const entry = bringing.find((one) => one.id === id);
        if (entry) texts.set(id, plainMembers({ ...entry.event, bot }));
      }
      return { texts };
    },
  };

  async function shown(
    entries: LogEntry[],
    userId: number,
  ): Promise<Map<number, Record<string, unknown>>> {
    const [first] = entries;
    const user = first && (await findUser(reader, first.realmId, userId));
    if (!user) return new Map();
    const realm = await loadRealm(reader, first.realmId);
    const ids = [...new Set(entries.map(({ event }) => Number(botOf(event)["user_id"])))];
    const bots = (await findUsersByIds(reader, realm.id, ids)).filter((bot) =>
      isShownTo(user, bot),
    );
    const { rows, parts } = await findShownBots(
      reader,
      { realm, secrets, user, now: clock.now() },
      ids,
    );
    const wires = new Map(bots.map((bot) => [bot.id, botWire(bot, rows.get(bot.id), parts)]));
    return new Map(
      entries.flatMap(({ id, event }) => {
        const logged = botOf(event);
        const now: Record<string, unknown> | undefined = wires.get(Number(logged["user_id"]));
        return now
          ? [
              [
                id,
                Object.fromEntries(Object.keys(logged).map((name) => [name, now[name]])),
              ] as const,
            ]
          : [];
      }),
    );
  }
}
