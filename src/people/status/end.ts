import { Type } from "@sinclair/typebox";
import { defineJob } from "../../jobs/define";
import { findUser } from "../users/queries";
import { findStatuses } from "./queries";
import { changeStatusIn, statusEndName } from "./store";

/**
 * Ends a status at its time, unless the person has set another one since. Event: user_status, to
 * people who see them.
 */
export const endStatus = defineJob(
  statusEndName,
  Type.Object({ userId: Type.Integer() }),
  async (_ctx, { userId }) =>
    async (tx, ctx) => {
      const user = await findUser(tx, ctx.realm.id, userId);
      const [status] = await findStatuses(tx, ctx.realm.id, [userId]);
      const isOver = status !== undefined && (status.endsAt ?? Infinity) <= tx.now;
      if (user?.isActive && isOver)
        await changeStatusIn(tx, ctx, user, { statusText: "", emoji: "none" });
      return undefined;
    },
);
