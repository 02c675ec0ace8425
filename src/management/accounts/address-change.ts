import { actingAs } from "../../core/account";
import { Page } from "../../core/answer";
import { daySeconds } from "../../core/clock";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { timeText } from "../../core/language";
import { siteOf } from "../../core/network/site";
import { type Input, record, text } from "../../core/params";
import { html, htmlPage } from "../../core/text/html";
import { write } from "../../core/write";
import { link, note, paragraph } from "../../letters/letter";
import { queueMail } from "../../letters/queue";
import { localeOfUser } from "../../people/settings/locale";
import { emailKeyOf, findUser } from "../../people/users/queries";
import { loadRealm } from "../../realm/queries";
import {
  beginProof,
  endAddressChanges,
  findProof,
  isOverChangesLimit,
  type ProofKind,
} from "../../sign-in/address-proofs";
import { endLoginLinks } from "../../sign-in/api-keys";
import type { Browser } from "../../sign-in/browser";
import { originOf, requireOwnOrigin } from "../../sign-in/cookies";
import { nothing, problem, refusedLinkPage } from "../../sign-in/login-pages";
import { refusalIn } from "../../sign-in/refusal";
import { wordsOfStranger } from "../../sign-in/words";
import { wordsOfUser } from "../account-words";
import { requireNewEmail } from "./new-email";
import { storeAccount } from "./update";

const lifeSeconds = daySeconds;
const kind: ProofKind = "address";

/**
 * Asks for a new address of one's own, as part of a write: a link is mailed to it, and it takes
 * effect when the link is opened. A later request replaces this one. Refuses where too many links
 * were mailed to it, and a person who has asked too often today (BAD_REQUEST).
 */
export async function askForAddressIn(tx: Tx, ctx: Context<Person>, email: string): Promise<void> {
  const { user } = ctx.actor;
  const { name } = ctx.realm;
  const words = wordsOfUser(user);
  if (await isOverChangesLimit(tx, user.realmId, user.id))
    throw refusedFor(
      "changes-today",
      "You have asked for too many new addresses today. Try again tomorrow.",
    );
  await endAddressChanges(tx, user.realmId, [user.id]);
  const begun = await beginProof(tx, ctx, kind, { userId: user.id, email, lifeSeconds });
  if (!begun)
    throw refusedFor(
      "links-today",
      `Too many links were mailed to ${email} today. Try again tomorrow.`,
      email,
    );
  const { token, expiresAt } = begun;
  await queueMail(tx, ctx, {
    to: { email, fullName: user.fullName },
    subject: words.yourNewAddress(name),
    language: words.tag,
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.isThisYours(name)),
      link(words.useAddress, `${siteOf(ctx)}/account/address/${token}`),
      note(words.worksOnce(timeText(expiresAt, localeOfUser(user)))),
    ],
    about: "the link to your new address",
    key: `address:${user.id}`,
    expiresAt,
    tellUserId: user.id,
  });
}

export const ProveAddress = record({ token: text() });

/**
 * The page of such a link. It changes nothing. An invalid link is answered like one that never
 * existed.
 */
export async function showAddressChange(
  ctx: Context,
  { token }: Input<typeof ProveAddress>,
): Promise<Page> {
  const found = await findChange(ctx, ctx, token);
  return found ? new Page(askPage(ctx, found)) : refused(ctx);
}

function refused(ctx: Context): Page {
  const words = wordsOfStranger(ctx);
  return new Page(refusedLinkPage(words, words.addressAgain), 404);
}

/**
 * Gives a person the address that a link was mailed to, once. Links that were mailed to the former
 * address end, and a notice goes there. Events: see `storeAccount`. The page shows an error when
 * the organization no longer accepts the address, or when somebody else has it meanwhile. Refuses a
 * request from another site (403).
 */
export async function proveAddress(
  ctx: Context,
  { token }: Input<typeof ProveAddress>,
  browser: Browser,
): Promise<Page> {
  const found = await findChange(ctx, ctx, token);
  if (!found) return refused(ctx);
  try {
    requireOwnOrigin(originOf(ctx, browser));
    const isDone = await write(ctx, async (tx) => {
      const current = await findChange(tx, ctx, token);
      if (current)
        await changeAddress(tx, { ...ctx, realm: await loadRealm(tx, ctx.realm.id) }, current);
      return current !== undefined;
    });
    return isDone ? new Page(donePage(ctx, found)) : refused(ctx);
  } catch (error) {
    const { message, status } = refusalIn(error, wordsOfUser(found.user).tag);
    return new Page(askPage(ctx, found, message), status);
  }
}

interface AddressChange {
  user: UserRow;
  email: string;
}

async function findChange(
  from: Context | Tx,
  ctx: Context,
  token: string,
): Promise<AddressChange | undefined> {
  const reader = "reader" in from ? from.reader : from;
  const realm = await loadRealm(reader, ctx.realm.id);
  const proof = realm.isActive ? await findProof(reader, ctx, kind, token) : undefined;
  const user = proof?.userId == null ? undefined : await findUser(reader, realm.id, proof.userId);
  return proof && user?.isActive ? { user, email: proof.email } : undefined;
}

async function changeAddress(tx: Tx, ctx: Context, { user, email }: AddressChange) {
  await endAddressChanges(tx, user.realmId, [user.id]);
  await requireNewEmail(tx, actingAs(ctx, user), email);
  await endLoginLinks(tx, user.realmId, [user.id]);
  await storeAccount(tx, user, { email, emailKey: emailKeyOf(email) });
  tx.audit(ctx, {
    action: "user.change_email",
    kind: "user",
    ids: [user.id],
    proven: user,
    before: { email: user.email },
    after: { email },
  });
  const words = wordsOfUser(user);
  await queueMail(tx, ctx, {
    to: user,
    subject: words.addressChanged(ctx.realm.name),
    language: words.tag,
    about: "word of a new address",
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.addressIsNow(ctx.realm.name, email)),
      paragraph(words.notYou),
    ],
  });
}

function askPage({ realm }: Context, { user, email }: AddressChange, refusal?: string) {
  const words = wordsOfUser(user);
  return htmlPage(
    `${words.yourAddress} – ${realm.name}`,
    html`<h1>${realm.name}</h1>${refusal === undefined ? nothing : problem(refusal)}
<p>${words.isToBe(email, user.fullName)}</p>
<form method="post"><button>${words.useAddress}</button></form>`,
    words.tag,
  );
}

function donePage({ realm }: Context, { user, email }: AddressChange) {
  const words = wordsOfUser(user);
  return htmlPage(
    `${words.yourAddress} – ${realm.name}`,
    html`<h1>${words.isChanged}</h1><p>${words.itIsNow(email)} <a href="/account">${words.yourAccount}</a></p>`,
    words.tag,
  );
}
