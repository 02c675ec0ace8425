import { type Endpoint, endpoint } from "../http/endpoint";
import { CreateReusableLink, createReusableLink, SendInvitations, sendInvitations } from "./invite";
import {
  AcceptInvitation,
  AcceptProven,
  acceptInvitation,
  acceptProven,
  ShowInvitation,
  ShowProven,
  showInvitation,
  showProven,
} from "./join";
import {
  ListInvitations,
  listInvitations,
  NameInvitation,
  resendInvitation,
  revokeInvitation,
  revokeReusableLink,
} from "./service";

export const invitationEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/invites",
    summary: "Lists the invitations that can still be accepted.",
    who: "nonGuest",
    callers: "people",
    input: ListInvitations,
    verb: listInvitations,
  }),
  endpoint({
    method: "POST",
    path: "/invites",
    summary: "Invites people by their e-mail addresses.",
    who: "nonGuest",
    callers: "people",
    input: SendInvitations,
    verb: sendInvitations,
  }),
  endpoint({
    method: "POST",
    path: "/invites/multiuse",
    summary: "Makes a link that any number of people may join by.",
    who: "nonGuest",
    callers: "people",
    input: CreateReusableLink,
    verb: createReusableLink,
  }),
  endpoint({
    method: "DELETE",
    path: "/invites/multiuse/{invite_id}",
    summary: "Withdraws a link that many may join by.",
    who: "nonGuest",
    callers: "people",
    input: NameInvitation,
    verb: revokeReusableLink,
  }),
  endpoint({
    method: "DELETE",
    path: "/invites/{invite_id}",
    summary: "Withdraws the invitation of an address.",
    who: "nonGuest",
    callers: "people",
    input: NameInvitation,
    verb: revokeInvitation,
  }),
  endpoint({
    method: "POST",
    path: "/invites/{invite_id}/resend",
    summary: "Writes to an invited address again, with a new link.",
    who: "nonGuest",
    callers: "people",
    input: NameInvitation,
    verb: resendInvitation,
  }),
];

/** What people open in a browser to join an organization. */
export const joinPages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/join/{token}",
    summary: "Shows an invitation, without using it.",
    who: "anyone",
    input: ShowInvitation,
    verb: showInvitation,
  }),
  endpoint({
    method: "POST",
    path: "/join/{token}",
    summary: "Accepts an invitation: makes an account, or mails a link to prove the address where many may use it.",
    who: "anyone",
    input: AcceptInvitation,
    verb: acceptInvitation,
  }),
  endpoint({
    method: "GET",
    path: "/join/{token}/{proof}",
    summary: "Shows a reusable invitation to who has proven an address.",
    who: "anyone",
    input: ShowProven,
    verb: showProven,
  }),
  endpoint({
    method: "POST",
    path: "/join/{token}/{proof}",
    summary: "Accepts a reusable invitation with an address that was proven.",
    who: "anyone",
    input: AcceptProven,
    verb: acceptProven,
  }),
];
