import { type Static, Type } from "@sinclair/typebox";
import type { UserRow } from "../core/context";

/** What only a bot's owner and administrators see of it: the slim form that the protocol has since level 474. */
export const botObject = Type.Object({
  user_id: Type.Integer(),
  default_sending_stream: Type.Union([Type.String(), Type.Null()]),
  default_events_register_stream: Type.Union([Type.String(), Type.Null()]),
  default_all_public_streams: Type.Boolean(),
  services: Type.Array(Type.Unknown()),
});

export type BotObject = Static<typeof botObject>;

export const botWire = (bot: UserRow): BotObject => ({
  user_id: bot.id,
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
});
