import { event } from "../../events/define";

/**
 * The invitations that somebody may see are others than before: clients ask for the list. To
 * administrators and the inviter.
 */
export const invitationsChanged = event("invites_changed", undefined, {});
