import { Type } from "@sinclair/typebox";
import { isGuest } from "../../core/rights/role";
import type { StateLoader } from "../../core/state";
import { listDefaultGroups } from "./queries";
import { defaultGroupObject, defaultGroupWire } from "./wire";

/**
 * The groups of channels for newcomers; a `default_stream_groups` event replaces the list. Guests
 * see none, because they may not know most of the channels.
 */
export const defaultGroupState = {
  fetchTypes: ["default_stream_groups"],
  keys: { realm_default_stream_groups: Type.Array(defaultGroupObject) },
  async load({ realm, actor }, reader) {
    const groups = isGuest(actor.user.role) ? [] : await listDefaultGroups(reader, realm.id);
    return { realm_default_stream_groups: groups.map(defaultGroupWire) };
  },
} satisfies StateLoader;
