import { signal } from "@preact/signals";
import type { AnswerTo } from "../../api-types";
import { post, Refusal, read, remove } from "../net/api";
import { invitationWords } from "../words/invitations";
import { onEvents } from "./event-followers";
import { reasonOf } from "./notices";

export type Invitation = AnswerTo<"GET", "/invites">["invites"][number];

/** The role, the expiry and the channels of an invitation, as the form has them. */
export interface Offer {
  readonly role: number;
  /** Minutes for which it can be accepted; null if it does not expire. */
  readonly minutes: number | null;
  readonly channelIds: readonly number[];
  /** Whether the invited people are also subscribed to the organization's default channels. */
  readonly withDefaults: boolean;
}

/** Open invitations; undefined until they are loaded, or why they could not be loaded. */
export const openInvitations = signal<
  readonly Invitation[] | { readonly refusal: string } | undefined
>(undefined);

/** The number of the newest request, so that a late answer does not replace a newer one. */
let newest = 0;

export async function loadInvitations(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const { invites } = await read("/invites");
    if (own === newest) openInvitations.value = invites;
  } catch (error) {
    if (own === newest) openInvitations.value = { refusal: reasonOf(error) };
  }
}

/** Events only say that the list has changed. */
onEvents((events) => {
  if (openInvitations.value && events.some(({ type }) => type === "invites_changed"))
    void loadInvitations();
});

const parametersOf = ({ role, minutes, channelIds, withDefaults }: Offer) => ({
  invite_as: role,
  invite_expires_in_minutes: minutes ?? "null",
  stream_ids: channelIds,
  include_realm_default_subscriptions: withDefaults,
});

/**
 * Sends invitations by mail. Returns the addresses that already have an account and were left out.
 * Throws a `Refusal`, which names invalid addresses.
 */
export async function inviteByMail(addresses: string, offer: Offer): Promise<readonly string[]> {
  try {
    await post("/invites", { invitee_emails: addresses, ...parametersOf(offer) });
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refused = addressesIn(error);
    if (error.answer["sent_invitations"] === true) return refused;
    if (refused.length === 0) throw error;
    throw new Refusal(error.status, error.code, invitationWords.because(error.message, refused));
  }
}

/** The addresses that a refusal names. */
function addressesIn({ answer }: Refusal): readonly string[] {
  const errors: unknown = answer["errors"];
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((one: unknown) =>
    Array.isArray(one) && typeof one[0] === "string" ? [one[0]] : [],
  );
}

/** Creates a link with which any number of people can join, and returns it. */
export const makeInviteLink = async (offer: Offer): Promise<string> =>
  (await post("/invites/multiuse", parametersOf(offer))).invite_link;

/** Sends an invitation by mail again, with a new link. */
export const sendInvitationAgain = ({ id }: Invitation): Promise<unknown> =>
  post("/invites/{invite_id}/resend", { invite_id: id });

export const withdrawInvitation = ({ id, is_multiuse: isLink }: Invitation): Promise<unknown> =>
  isLink
    ? remove("/invites/multiuse/{invite_id}", { invite_id: id })
    : remove("/invites/{invite_id}", { invite_id: id });
