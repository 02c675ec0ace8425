import { invitations } from "./en/invitations";
import { words } from "./words";

/** Texts of invitations, which are loaded with them. */
export const invitationWords: typeof invitations =
  globalThis.chatdLanguage?.parts.invitations ?? invitations;

/** Name of a role, by its number. */
export const roleName = (role: number): string => words.roles.get(role) ?? invitationWords.member;
