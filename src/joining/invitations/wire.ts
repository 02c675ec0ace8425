import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import type { InvitationRow } from "../../people/invited/store";

const shared = {
  id: Type.Integer(),
  invited_by_user_id: Type.Integer(),
  invited: Type.Integer({ description: "UNIX seconds." }),
  expiry_date: nullable(Type.Integer({ description: "UNIX seconds; null for never." })),
  invited_as: Type.Integer({ description: "Role of people who join: 100, 200, 300, 400 or 600." }),
  notify_referrer_on_join: Type.Boolean(),
};
const invitedAddressObject = Type.Object({
  ...shared,
  is_multiuse: Type.Literal(false),
  email: Type.String(),
});
const reusableLinkObject = Type.Object({
  ...shared,
  is_multiuse: Type.Literal(true),
  link_url: Type.String(),
});

/** An invitation as the protocol shows it: only reusable links have `link_url`. */
export const invitationObject = Type.Union([invitedAddressObject, reusableLinkObject]);

/** `openLink` gives the address of a reusable link. */
export function invitationWire(
  row: InvitationRow,
  openLink: (sealed: string) => string,
): Static<typeof invitationObject> {
  const base = {
    id: row.id,
    invited_by_user_id: row.inviterId,
    invited: row.invitedAt,
    expiry_date: row.expiresAt,
    invited_as: row.role,
    notify_referrer_on_join: row.notifiesInviter,
  };
  if (row.email !== null) return { ...base, is_multiuse: false, email: row.email };
  return { ...base, is_multiuse: true, link_url: openLink(row.sealed ?? "") };
}
