import { sees } from "../core/sight";
import type { StateLoader } from "../core/state";
import { onlookerOf } from "../users/onlooker";
import { listStatuses } from "./queries";
import { statusWire } from "./wire";

/** `user_status`: what the people whom the user sees say of themselves, by id. */
export const statusState: StateLoader = {
  fetchTypes: ["user_status"],
  async load(ctx, reader, { isOfficialClient }) {
    const statuses = await listStatuses(reader, ctx.realm.id);
    const ids = statuses.map(({ userId }) => userId);
    const onlooker = await onlookerOf(reader, ctx, ids);
    const shown = statuses.filter(({ userId: id }) => sees(onlooker, { id, botType: null }));
    const entries = shown.map((status) => [status.userId, statusWire(status, isOfficialClient)]);
    return { user_status: Object.fromEntries(entries) };
  },
};
