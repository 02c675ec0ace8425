import { Type } from "@sinclair/typebox";
import { sees } from "../../core/rights/person-visibility";
import type { StateLoader } from "../../core/state";
import { listInvisible } from "../presence/queries";
import { viewerOf } from "../users/viewer";
import { listStatuses } from "./queries";
import { statusObject, statusWire } from "./wire";

/**
 * `user_status`: the statuses of the people whom the user sees, by id, and who of them is
 * invisible.
 */
export const statusState = {
  fetchTypes: ["user_status"],
  keys: {
    user_status: Type.Record(Type.String(), statusObject, { description: "By ids of users." }),
  },
  async load(ctx, reader, { isOfficialClient }) {
    const statuses = new Map(
      (await listStatuses(reader, ctx.realm.id)).map((status) => [status.userId, status]),
    );
    const invisible = new Set(await listInvisible(reader, ctx.realm.id));
    const ids = [...new Set([...statuses.keys(), ...invisible])];
    const viewer = await viewerOf(reader, ctx, ids);
    const shown = ids.filter((id) => sees(viewer, { id, botType: null }));
    const entries = shown.map((id) => {
      const isAway = invisible.has(id);
      return [id, statusWire(statuses.get(id), { isAway, isOfficialClient })];
    });
    return { user_status: Object.fromEntries(entries) };
  },
} satisfies StateLoader;
