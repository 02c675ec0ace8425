import type { Context } from "./context";

/** Person who did it, as a notice names them: a mention that tells nobody. */
export const namedInNotice = ({ actor }: Context): string =>
  "user" in actor ? `@_**${actor.user.fullName}|${actor.user.id}**` : "The operator of this server";
