import type { StateLoader } from "../core/state";
import { loadRealm } from "../realm/queries";
import { listGroups, systemGroupIds } from "./queries";
import { groupWire } from "./wire";

/** `realm_user_groups`: every group, deactivated ones included. */
export const userGroupStateLoader: StateLoader = {
  fetchTypes: ["realm_user_groups"],
  async load({ realm: { id }, now }, reader) {
    const realm = await loadRealm(reader, id);
    const ids = await systemGroupIds(reader, id);
    const groups = await listGroups(reader, { realm, now });
    return { realm_user_groups: groups.map((group) => groupWire(group, ids)) };
  },
};
