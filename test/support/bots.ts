import { createBotIn } from "../../src/bots/service";
import type { Context, UserRow } from "../../src/core/context";
import { write } from "../../src/core/write";

/** Adds a bot without a key, as `chatd admin apply` does. */
export const createBot = (ctx: Context, bot: Parameters<typeof createBotIn>[2]): Promise<UserRow> =>
  write(ctx, (tx) => createBotIn(tx, ctx, bot));
