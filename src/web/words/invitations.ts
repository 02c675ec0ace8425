import { invitations } from "./en/invitations";

/** Texts of invitations, which are loaded with them. */
export const invitationWords: typeof invitations =
  globalThis.chatdLanguage?.parts.invitations ?? invitations;
