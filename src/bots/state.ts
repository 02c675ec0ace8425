import { Type } from "@sinclair/typebox";
import type { UserRow } from "../core/context";
import { jsonMemory } from "../core/json/raw-json";
import type { StateLoader } from "../core/state";
import { botObject, botWire } from "../people/bots/wire";
import { listUsers } from "../people/users/queries";
import { loadRealm } from "../realm/queries";
import { embeddedServiceObject, embeddedServices } from "./embedded";
import { findShownBots, isShownTo } from "./visible-details";

const texts = jsonMemory<UserRow>();
const botsAmong = new WeakMap<readonly UserRow[], readonly UserRow[]>();

/** `realm_bots`: the user's own, and all of them for administrators; including deactivated ones. */
const botStateLoader = {
  fetchTypes: ["realm_bot"],
  keys: { realm_bots: Type.Array(botObject) },
  async load({ app: { secrets }, realm: { id: realmId }, actor: { user }, now }, reader) {
    const everybody = await listUsers(reader, realmId);
    const all = botsAmong.getOrInsertComputed(everybody, () =>
      everybody.filter(({ botType }) => botType !== null),
    );
    const bots = all.filter((bot) => isShownTo(user, bot));
    if (bots.length === 0) return { realm_bots: [] };
    const at = { secrets, realm: await loadRealm(reader, realmId), user, now };
    const ids = bots.map(({ id }) => id);
    const { rows, parts } = await findShownBots(reader, at, ids);
    return {
      realm_bots: bots.map((bot) => {
        const row = rows.get(bot.id);
        return row ? botWire(bot, row, parts) : texts(bot, "", () => botWire(bot));
      }),
    };
  },
} satisfies StateLoader;

/** `realm_embedded_bots`: the services for embedded bots. */
const embeddedBotsLoader = {
  fetchTypes: ["realm_embedded_bots"],
  keys: { realm_embedded_bots: Type.Array(embeddedServiceObject) },
  load: async () => ({ realm_embedded_bots: embeddedServices }),
} satisfies StateLoader;

export const botStates = [botStateLoader, embeddedBotsLoader] satisfies StateLoader[];
