import type { DefaultGroup } from "../channels/default-channel-groups/queries";
import type { UserRow } from "../core/context";
import type { Role } from "../core/rights/role";
import { type Html, html, htmlPage } from "../core/text/html";
import { lengthsMax, passwordLengthMin } from "../protocol/limits";
import { hidden, nothing, problem } from "../sign-in/login-pages";
import { groupChoice } from "./chosen-channels";
import type { JoiningWords } from "./words";

/** Contents of the page on which somebody joins. */
export interface JoinView {
  words: JoiningWords;
  realmName: string;
  /** Inviter, and the role of the new person; undefined without an invitation. */
  invitation: { inviterName: string; role: Role } | undefined;
  /** Null for a reusable link, where people give their own address. */
  email: string | null;
  /** Groups of channels that the new person may choose from. */
  groups: readonly DefaultGroup[];
  /** Values of the form in the previous try, which was refused. */
  typed?: TypedToJoin;
}

/** Values of the form by which somebody joins. A refusal keeps them, except the password. */
export interface TypedToJoin {
  email?: string | undefined;
  fullName?: string | undefined;
  /** Name of the group of channels that was chosen. */
  defaultStreamGroup?: string | undefined;
}

/** A sentence with the inviter and the role. */
export const invitedBy = ({ words, invitation }: Pick<JoinView, "words" | "invitation">): Html =>
  invitation === undefined
    ? nothing
    : html`<p>${words.invitesAs(invitation.inviterName, invitation.role)}</p>`;

/** Page with a form for name and password; `refusal` is the error of the previous try. */
export function joinPage(view: JoinView, refusal?: string): Html {
  const { words, realmName, email, groups, typed = {} } = view;
  const address =
    email === null
      ? html`<p><label for="email">${words.emailAddress}</label>
<input id="email" name="email" type="email" value="${typed.email ?? ""}" maxlength="254" autocomplete="email" required></p>`
      : html`<p>${words.yourAddress(email)}</p>`;
  return htmlPage(
    words.joinRealm(realmName),
    html`<h1>${words.joinRealm(realmName)}</h1>${invitedBy(view)}${problem(refusal)}
<form method="post">${address}
<p><label for="full_name">${words.yourName}</label>
<input id="full_name" name="full_name" value="${typed.fullName ?? ""}" maxlength="100" autocomplete="name" required></p>
<p><label for="password">${words.passwordOf(passwordLengthMin)}</label>
<input id="password" name="password" type="password" minlength="${String(passwordLengthMin)}"
maxlength="${String(lengthsMax.password)}" autocomplete="new-password" required></p>${groupChoice(words, groups, typed.defaultStreamGroup)}
<p><button>${words.join}</button></p></form>`,
    words.tag,
  );
}

/** Contents of the page for somebody who is signed in already. */
interface SignedInView {
  words: JoiningWords;
  realmName: string;
  user: UserRow;
  csrfToken: string;
  /** Path of the link, which is opened again after signing out. */
  path: string;
}

/**
 * Page of a valid link for somebody who is signed in: it leads to the chat, or to another account.
 */
export const signedInPage = ({ words, realmName, user, csrfToken, path }: SignedInView): Html =>
  htmlPage(
    words.joinRealm(realmName),
    html`<h1>${words.joinRealm(realmName)}</h1><p>${words.signedInAs(user.fullName, user.email)}
<a href="/">${words.openChat}</a></p><p>${words.forAnother}</p>
<form method="post" action="/logout">${hidden("csrf_token", csrfToken)}${hidden("next", path)}
<p><button class="quiet">${words.signOut}</button></p></form>`,
    words.tag,
  );

/**
 * Page for an invalid link, whatever the reason. It leads people who have joined to the chat, and
 * others to a link without an invitation, where the organization is open.
 */
export const refusedInvitationPage = (words: JoiningWords, isOpen: boolean): Html =>
  htmlPage(
    words.join,
    html`<h1>${words.linkDoesNotWork}</h1><p>${words.whyNoLink} ${isOpen ? words.orRegister : nothing}</p>
<p>${words.joinedAlready} <a href="/">${words.openChat}</a></p>`,
    words.tag,
  );

/** Page for somebody who has joined, which leads on by itself. */
export const joinedPage = (words: JoiningWords, realmName: string): Html =>
  htmlPage(
    words.welcome(realmName),
    html`<h1>${words.welcome(realmName)}</h1><p>${words.accountReady}
<a href="/">${words.openChat}</a></p>`,
    words.tag,
  );
