import { Type } from "@sinclair/typebox";
import { JsonMembers, jsonMemory, membersJson, textMemory } from "../../core/json/raw-json";
import type { StateLoader } from "../../core/state";
import { loadRealm } from "../../realm/queries";
import { systemGroupIds } from "../users/system-group-membership";
import { type GroupWithMembers, listGroups } from "./queries";
import { groupObject, groupWire } from "./wire";

/** Texts can be cached because they name system groups by id, and these ids never change. */
const texts = jsonMemory<GroupWithMembers>();
const lists = textMemory<readonly GroupWithMembers[]>();

/** `realm_user_groups`: every group; deactivated ones only for a client that wants them. */
export const userGroupStateLoader = {
  fetchTypes: ["realm_user_groups"],
  keys: { realm_user_groups: Type.Array(groupObject) },
  async load({ realm: { id }, now }, reader, { includeDeactivatedGroups }) {
    const realm = await loadRealm(reader, id);
    const ids = await systemGroupIds(reader, id);
    const groups = await listGroups(reader, { realm, now });
    const { text } = lists(groups, String(includeDeactivatedGroups), () => {
      const shown = groups.filter(({ group }) => group.isActive || includeDeactivatedGroups);
      return membersJson({
        realm_user_groups: shown.map((group) => texts(group, "", () => groupWire(group, ids))),
      });
    });
    return new JsonMembers(text);
  },
} satisfies StateLoader;
