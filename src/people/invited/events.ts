import { event } from "../../events/define";

/**
 * The visible invitations have changed, so clients fetch the list again. To administrators and the
 * inviter.
 */
export const invitationsChanged = event("invites_changed", undefined, {});
