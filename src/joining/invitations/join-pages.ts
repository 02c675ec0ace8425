import { type Html, html, htmlPage } from "../../core/html";
import { protocolLimits } from "../../realm/limits";
import { nothing, problem } from "../../sign-in/login-pages";

/** Contents of the page on which somebody joins. */
export interface JoinView {
  realmName: string;
  /**
   * Inviter, and the role of the new person: "a member", "a guest"; undefined without an
   * invitation.
   */
  invitation: { inviterName: string; as: string } | undefined;
  /** Null for a reusable link, where people give their own address. */
  email: string | null;
}

/** A sentence with the inviter and the role. */
export const invitedBy = ({ invitation }: Pick<JoinView, "invitation">): Html =>
  invitation === undefined
    ? nothing
    : html`<p>${invitation.inviterName} invites you as ${invitation.as}.</p>`;

const { passwordMinLength, passwordMaxLength } = protocolLimits;

/** Page with a form for name and password; `refusal` is the error of the previous try. */
export function joinPage({ realmName, invitation, email }: JoinView, refusal?: string): Html {
  const address =
    email === null
      ? html`<p><label for="email">E-mail address</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email" required></p>`
      : html`<p>Your e-mail address: <b>${email}</b></p>`;
  return htmlPage(
    `Join ${realmName}`,
    html`<h1>Join ${realmName}</h1>${invitedBy({ invitation })}${problem(refusal)}
<form method="post">${address}
<p><label for="full_name">Your name</label>
<input id="full_name" name="full_name" maxlength="100" autocomplete="name" required></p>
<p><label for="password">A password of ${String(passwordMinLength)} characters or more</label>
<input id="password" name="password" type="password" minlength="${String(passwordMinLength)}"
maxlength="${String(passwordMaxLength)}" autocomplete="new-password" required></p>
<p><button>Join</button></p></form>`,
  );
}

/** Page for an invalid link, whatever the reason. */
export const refusedInvitationPage = (): Html =>
  htmlPage(
    "Join",
    html`<h1>This link does not work</h1><p>It has been used or withdrawn, it has expired, or it was not copied in
full. Ask whoever invited you for a new one; if nobody did, <a href="/register">ask for one here</a>.</p>`,
  );

/** Page for somebody who has joined, which leads on by itself. */
export const joinedPage = (realmName: string): Html =>
  htmlPage(
    `Welcome to ${realmName}`,
    html`<h1>Welcome to ${realmName}</h1><p>Your account is ready, and this browser is signed in.
<a href="/">Open the chat</a></p>`,
  );
