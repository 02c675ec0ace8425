import type { InvitationRow } from "./store";

interface InvitationBase {
  id: number;
  invited_by_user_id: number;
  invited: number;
  expiry_date: number | null;
  invited_as: number;
  notify_referrer_on_join: boolean;
}

/** An invitation as the protocol shows it: `link_url` is shown of reusable links only. */
export type InvitationWire = InvitationBase &
  ({ is_multiuse: false; email: string } | { is_multiuse: true; link_url: string });

/** `openLink` gives the address of a reusable link. */
export function invitationWire(row: InvitationRow, openLink: (sealed: string) => string): InvitationWire {
  const base: InvitationBase = {
    ...{ id: row.id, invited_by_user_id: row.inviterId, invited: row.invitedAt, expiry_date: row.expiresAt },
    ...{ invited_as: row.role, notify_referrer_on_join: row.notifiesInviter },
  };
  if (row.email !== null) return { ...base, is_multiuse: false, email: row.email };
  return { ...base, is_multiuse: true, link_url: openLink(row.sealed ?? "") };
}
