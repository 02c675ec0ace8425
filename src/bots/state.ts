import type { UserRow } from "../core/context";
import { jsonMemory } from "../core/raw-json";
import { roles } from "../core/role";
import type { StateLoader } from "../core/state";
import { listUsers } from "../users/queries";
import { botWire } from "./wire";

const texts = jsonMemory<UserRow>();

/** `realm_bots`: one's own, and all of them for administrators; deactivated ones included. */
export const botStateLoader: StateLoader = {
  fetchTypes: ["realm_bot"],
  async load({ realm, actor }, reader) {
    const { id, role } = actor.user;
    const bots = (await listUsers(reader, realm.id)).filter(({ botType }) => botType !== null);
    const shown = bots.filter(({ botOwnerId }) => role <= roles.administrator || botOwnerId === id);
    return { realm_bots: shown.map((bot) => texts(bot, "", () => botWire(bot))) };
  },
};
