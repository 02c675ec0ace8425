import type { StateLoader } from "../core/state";
import { readPresences } from "./read";

/** `presences`: when the people whom the user sees were last there; and from where the client goes on. */
export const presenceState: StateLoader = {
  fetchTypes: ["presence"],
  async load(ctx, reader, { slimPresence, presenceHistoryLimitDays }) {
    const view = { historyLimitDays: presenceHistoryLimitDays ?? undefined, isModern: slimPresence };
    const { presences, lastUpdateId } = await readPresences(ctx, reader, view);
    return { presences, presence_last_update_id: lastUpdateId, server_timestamp: ctx.now };
  },
};
