import type { WireEvent } from "../client";
import type { ClientState } from "./client-state";

type Row = ClientState;

/** Bots that the user owns, or all of them for administrators. */
export function applyBot(state: ClientState, { op, bot }: WireEvent) {
  const others = state.realm_bots.filter(({ user_id }: Row) => user_id !== bot.user_id);
  const known = state.realm_bots.find(({ user_id }: Row) => user_id === bot.user_id);
  if (op === "update") Object.assign(known, bot);
  else state.realm_bots = op === "add" ? [...others, bot] : others;
}

/** A client keeps nothing about a channel that becomes invisible, least of all its name. */
export function forgetBotDefaults(state: ClientState, channelIds: number[]) {
  const gone = state.streams
    .filter(({ stream_id }: Row) => channelIds.includes(stream_id))
    .map(({ name }: Row) => name);
  for (const bot of state.realm_bots) {
    for (const key of ["default_sending_stream", "default_events_register_stream"]) {
      if (gone.includes(bot[key])) bot[key] = null;
    }
  }
}
