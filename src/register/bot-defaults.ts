import type { Context, Person } from "../core/context";
import { roles } from "../core/rights/role";
import { findBotRow } from "../people/bots/queries";

interface Asked {
  narrow?: unknown;
  allPublicStreams?: boolean;
}

/**
 * Input of `register` for a bot: options that it leaves out get the defaults that its owner has
 * set.
 */
export async function withBotDefaults<Input extends Asked>(
  ctx: Context<Person>,
  input: Input,
): Promise<Input> {
  const { user } = ctx.actor;
  const row =
    user.botType === null ? undefined : await findBotRow(ctx.reader, user.realmId, user.id);
  if (!row) return input;
  const isUnsaid =
    input.narrow === undefined || (Array.isArray(input.narrow) && input.narrow.length === 0);
  const narrow =
    isUnsaid && row.defaultEventsChannelId !== null
      ? [["channel", row.defaultEventsChannelId]]
      : undefined;
  const hearsAll = row.defaultAllPublicChannels && user.role < roles.guest;
  return {
    ...input,
    ...(narrow ? { narrow } : {}),
    ...(hearsAll && input.allPublicStreams === undefined ? { allPublicStreams: true } : {}),
  };
}
