import { Type } from "@sinclair/typebox";
import type { StateLoader } from "../../core/state";
import { readPresences } from "./read";
import { presencesObject } from "./wire";

/** `presences`: the presence of people whom the user sees, and the update id to continue from. */
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
