import { Type } from "@sinclair/typebox";
import type { StateLoader } from "../../core/state";
import { readPresences } from "./read";
import { presencesObject } from "./wire";

/**
 * `presences`: when the people whom the user sees were last there; and from where the client goes
 * on.
 */
export const presenceState = {
  fetchTypes: ["presence"],
  keys: {
    presences: presencesObject,
    presence_last_update_id: Type.Integer(),
    server_timestamp: Type.Integer(),
  },
  async load(ctx, reader, { slimPresence, presenceHistoryLimitDays }) {
    const view = {
      historyLimitDays: presenceHistoryLimitDays ?? undefined,
      isModern: slimPresence,
    };
    const { presences, lastUpdateId } = await readPresences(ctx, reader, view);
    return { presences, presence_last_update_id: lastUpdateId, server_timestamp: ctx.now };
  },
} satisfies StateLoader;
