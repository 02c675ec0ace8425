import { Page } from "../../core/answer";
import type { Context, Tx, UserRow } from "../../core/context";
import { type Input, optional, record, text } from "../../core/params";
import { roles } from "../../core/rights/role";
import { addPersonIn, type PreparedUser } from "../../management/accounts/create";
import { welcomeNewcomer } from "../../management/accounts/welcome";
import { subscribeToDefaults } from "../../management/subscriptions/service";
import { requireAcceptedDomain } from "../../realm/domains/accepted";
import { loadRealm } from "../../realm/queries";
import {
  type AddressProof,
  endProofsOf,
  findProof,
  type ProofKind,
} from "../../sign-in/address-proofs";
import type { Browser } from "../../sign-in/browser";
import { originOf, requireOwnOrigin } from "../../sign-in/cookies";
import { nothing } from "../../sign-in/login-pages";
import { refusalIn } from "../../sign-in/refusal";
import { askToJoin, isOpen } from "../ask-to-join";
import { chosenChannelIds, offeredGroups } from "../chosen-channels";
import { enterAs, linkRefused } from "../enter";
import { joinPage } from "../join-pages";
import { closedPage, registerPage, sentPage } from "../register-pages";
import { wordsOfStranger } from "../words";

const kind: ProofKind = "registration";

export const ShowRegistration = record({});

/** Page with a form for an address, where people may join without an invitation. */
export async function showRegistration(ctx: Context): Promise<Page> {
  return isOpen(ctx, ctx.realm)
    ? new Page(registerPage(wordsOfStranger(ctx), ctx.realm.name, nothing))
    : closed(ctx);
}

const closed = (ctx: Context) => new Page(closedPage(wordsOfStranger(ctx), ctx.realm.name), 404);

export const Register = record({ email: optional(text()) });

/**
 * Mails a link for joining to an address: see `askToJoin`, whose refusals are shown on the page.
 * The answer does not reveal whether the address has an account. Refuses a request from another
 * site (403), and every request where people need an invitation (404).
 */
export async function register(
  ctx: Context,
  input: Input<typeof Register>,
  browser: Browser,
): Promise<Page> {
  if (!isOpen(ctx, ctx.realm)) return closed(ctx);
  try {
    requireOwnOrigin(originOf(ctx, browser));
    await askToJoin(ctx, input.email ?? "", browser);
    return new Page(sentPage(wordsOfStranger(ctx), ctx.realm.name));
  } catch (error) {
    const words = wordsOfStranger(ctx);
    const { message, status } = refusalIn(error, words.tag);
    return new Page(
      registerPage(words, ctx.realm.name, nothing, { reason: message, email: input.email }),
      status,
    );
  }
}

export const OpenRegistration = record({ token: text() });

/**
 * The page of a link for joining. It changes nothing. An invalid link is answered like one that
 * never existed.
 */
export async function showJoining(
  ctx: Context,
  { token }: Input<typeof OpenRegistration>,
): Promise<Page> {
  const proof = await findProof(ctx.reader, ctx, kind, token);
  return proof && isOpen(ctx, ctx.realm)
    ? new Page(joinPage(await viewOf(ctx, proof)))
    : linkRefused(ctx);
}

const viewOf = async (ctx: Context, { email }: AddressProof) => ({
  words: wordsOfStranger(ctx),
  realmName: ctx.realm.name,
  invitation: undefined,
  email,
  groups: await offeredGroups(ctx.reader, ctx.realm.id, roles.member),
});

export const FinishRegistration = record({
  token: text(),
  fullName: optional(text()),
  password: optional(text()),
  defaultStreamGroup: optional(text()),
});

/**
 * Makes the account of a person who has proven an address, once: a member in the default channels
 * and the chosen ones; signs the browser in. Events: those of `addPersonIn` and of the welcome
 * messages. The page shows an error when the name or the password is wrong, when the organization
 * no longer accepts the address, or when the address has an account meanwhile; the link stays
 * valid. Refuses a request from another site (403), and every request where people now need an
 * invitation (404).
 */
export async function finishRegistration(
  ctx: Context,
  { token, fullName = "", password = "", defaultStreamGroup }: Input<typeof FinishRegistration>,
  browser: Browser,
): Promise<Page> {
  const proof = await findProof(ctx.reader, ctx, kind, token);
  if (!proof || !isOpen(ctx, ctx.realm)) return linkRefused(ctx);
  const { email } = proof;
  try {
    requireOwnOrigin(originOf(ctx, browser));
    const person = { email, fullName, password, role: roles.member };
    return await enterAs(ctx, person, browser, (tx, prepared) =>
      registerIn(tx, ctx, { token, defaultStreamGroup }, prepared),
    );
  } catch (error) {
    const { message, status } = refusalIn(error, wordsOfStranger(ctx).tag);
    const view = { ...(await viewOf(ctx, proof)), typed: { fullName, defaultStreamGroup } };
    return new Page(joinPage(view, message), status);
  }
}

async function registerIn(
  tx: Tx,
  outer: Context,
  {
    token,
    defaultStreamGroup,
  }: Pick<Input<typeof FinishRegistration>, "token" | "defaultStreamGroup">,
  prepared: PreparedUser,
): Promise<UserRow | undefined> {
  const ctx = { ...outer, realm: await loadRealm(tx, outer.realm.id) };
  const proof = await findProof(tx, ctx, kind, token);
  if (!proof || !isOpen(ctx, ctx.realm)) return undefined;
  await requireAcceptedDomain(tx, ctx.realm, prepared.email);
  await endProofsOf(tx, proof);
  const chosen = await chosenChannelIds(tx, ctx.realm.id, roles.member, defaultStreamGroup);
  const user = await addPersonIn(
    tx,
    ctx,
    prepared,
    async ({ id }) => void (await subscribeToDefaults(tx, ctx, id, chosen)),
  );
  await welcomeNewcomer(tx, ctx, user);
  return user;
}
