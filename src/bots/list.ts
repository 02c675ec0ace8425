import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person, UserRow } from "../core/context";
import { record } from "../core/params";
import { findBotRows } from "../people/bots/queries";
import { botDefaults, defaultsWire } from "../people/bots/wire";
import { avatarUrl } from "../people/users/avatar";
import { findUsersByIds, listBots } from "../people/users/queries";
import { findBotKeys } from "../sign-in/api-keys";
import { findShownBots } from "./visible-details";

export const GetBots = record({});

/** Active bots of the actor, by their ids. */
export const BotList = Type.Object({
  bots: Type.Array(
    Type.Object({
      username: Type.String({ description: "Address that the bot signs in with." }),
      full_name: Type.String(),
      api_key: Type.String({ description: "Empty where the bot has none." }),
      avatar_url: Type.String(),
      ...botDefaults,
    }),
  ),
});

/** A bot of the organization with its details, for the operator. */
export interface ListedBot {
  bot: UserRow;
  owner: UserRow | undefined;
  payloadUrl: string;
}

/** All bots of the organization, active or not, for the operator. */
export async function listAllBots({ reader, realm }: Context): Promise<ListedBot[]> {
  const bots = await listBots(reader, realm.id);
  const ids = bots.flatMap(({ botOwnerId }) => botOwnerId ?? []);
  const owners = new Map(
    (await findUsersByIds(reader, realm.id, ids)).map((owner) => [owner.id, owner]),
  );
  const rows = await findBotRows(
    reader,
    realm.id,
    bots.map(({ id }) => id),
  );
  return bots.map((bot) => ({
    bot,
    owner: bot.botOwnerId === null ? undefined : owners.get(bot.botOwnerId),
    payloadUrl: rows.get(bot.id)?.payloadUrl ?? "",
  }));
}

/** The actor's own active bots, with their API keys: an empty one where a bot has none. */
export async function getBots(ctx: Context<Person>): Promise<Static<typeof BotList>> {
  const { app, reader, realm, now } = ctx;
  const { user } = ctx.actor;
  const bots = (await listBots(reader, realm.id)).filter(
    ({ botOwnerId, isActive }) => isActive && botOwnerId === user.id,
  );
  const ids = bots.map(({ id }) => id);
  const { rows, parts } = await findShownBots(
    reader,
    { secrets: app.secrets, realm, now, user },
    ids,
  );
  const keys = await findBotKeys(ctx, ids);
  return {
    bots: bots.map((bot) => ({
      username: bot.email,
      full_name: bot.fullName,
      api_key: keys.get(bot.id) ?? "",
      avatar_url: avatarUrl({ email: bot.email, picture: bot }, false),
      ...defaultsWire(rows.get(bot.id), parts),
    })),
  };
}
