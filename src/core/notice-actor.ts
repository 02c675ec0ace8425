import type { Context } from "./context";

/** The actor's name in a notice: a silent mention, which notifies nobody. */
export const namedInNotice = ({ actor }: Context): string =>
  "user" in actor ? `@_**${actor.user.fullName}|${actor.user.id}**` : "The operator of this server";
