import type { Context, UserRow } from "./context";

/** A person's name in a notice, which notifies nobody. */
export const silentMention = ({ fullName, id }: Pick<UserRow, "fullName" | "id">): string =>
  `@_**${fullName}|${id}**`;

/** The actor's name in a notice. */
export const namedInNotice = ({ actor }: Context): string =>
  "user" in actor ? silentMention(actor.user) : "The operator of this server";
