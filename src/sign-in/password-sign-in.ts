import { type Static, Type } from "@sinclair/typebox";
import { AnswerWithRemark } from "../core/answer";
import type { Context, Person, Tx, UserRow } from "../core/context";
import { serverCounters } from "../core/counters";
import type { Connection } from "../core/endpoint";
import { invalidCredentials, realmDeactivated, refusedFor, userDeactivated } from "../core/errors";
import { type Input, record, text } from "../core/params";
import { write } from "../core/write";
import { emailKeyOf, findUserByEmail, loadUser } from "../people/users/queries";
import { lengthsMax } from "../protocol/limits";
import { loadRealm } from "../realm/queries";
import { endedKeysText, insertApiKey } from "./api-keys";
import { takeAttempt } from "./attempts";
import { originOf } from "./cookies";
import { passwordHashOf } from "./declared-passwords";
import { countFailure, forgetOwnFailures, isLocked } from "./failed-sign-ins";
import { noteSignIn } from "./first-sign-in";
import { findKnownBrowser } from "./known-browser";
import { isPasswordRight } from "./passwords";
import { mailSignIn } from "./sign-in-mail";
import { type Counter, countersOf, type SignInSource } from "./sign-in-source";

/** RFC 5321, 4.5.3.1.3. */

export const FetchApiKey = record({ username: text(), password: text() });
export const FetchedKey = record({
  api_key: Type.String(),
  email: Type.String(),
  user_id: Type.Integer(),
});
type FetchedKey = Static<typeof FetchedKey>;

/**
 * Signs a person in with e-mail address and password and answers a new API key, labelled with the
 * client's name. Earlier keys stay valid, unless there are too many: then those unused for longest
 * end, and the answer says so. Refuses like `signInWithPassword`.
 */
export async function fetchApiKey(
  ctx: Context,
  { username, password }: Input<typeof FetchApiKey>,
  connection: Pick<Connection, "address" | "header">,
): Promise<FetchedKey | AnswerWithRemark<FetchedKey>> {
  const attempt = { email: username, password, connection };
  return signInWithPassword(ctx, attempt, async (tx, user) => {
    const { apiKey, ended } = await insertApiKey(tx, ctx, user, ctx.client);
    await mailSignIn(tx, ctx, user, connection, ended);
    const fetched: FetchedKey = { api_key: apiKey, email: user.email, user_id: user.id };
    const remark = endedKeysText(ended);
    return remark === undefined ? fetched : new AnswerWithRemark(remark, fetched);
  });
}

interface SignInAttempt {
  email: string;
  password: string;
  /** The client's connection, with which a browser may prove that it has signed in before. */
  connection: Pick<Connection, "address" | "header">;
  /**
   * The person who proves their own password again; undefined for somebody who is not signed in.
   */
  by?: Person;
}

/** Outcome of an attempt, at the time of the write that counts it. */
type Outcome<T> = { kind: "admitted"; value: T } | { kind: "wrong" } | { kind: "deactivated" };

/**
 * Checks a password; all ways to prove one use it. `admit` runs in the write, with the account's
 * state at that time. Failures are counted by source (`countersOf`), on all nodes and whether or
 * not an account has the e-mail address. Too many of them lock for half an hour; a success resets
 * the count. An unknown address, a wrong password and a lock get equal answers in equal time
 * (AUTHENTICATION_FAILED, 401). A person with the right password of a deactivated account learns
 * that it is deactivated (USER_DEACTIVATED, 401). Events: see `noteSignIn`. Too many failures of
 * one client address, and too many checks at a time, are refused before the password is checked
 * (RATE_LIMIT_HIT, 429). A locked session or API key is also refused before, like a wrong password.
 */
export async function signInWithPassword<T>(
  ctx: Context,
  attempt: SignInAttempt,
  admit: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const { app, realm } = ctx;
  const { email, password } = attempt;
  if (!realm.isActive) throw realmDeactivated();
  if (!email.includes("@") || email.length > lengthsMax.emailAddress) {
    const shown = email.trim().slice(0, lengthsMax.emailAddress);
    const isGiven = shown !== "";
    const message = isGiven ? "This is not a valid e-mail address." : "Enter your e-mail address.";
    throw refusedFor("address-form", message, shown);
  }
  const user = await findUserByEmail(ctx.reader, realm.id, email);
  const emailKey = user?.emailKey ?? emailKeyOf(email);
  const { counters, isKnown } = await openSource(ctx, attempt, user, emailKey);
  const giveBack = isKnown
    ? () => undefined
    : takeAttempt(app, attempt.connection.address(), ctx.now);
  const outcome = await prove(ctx, { password, user, counters }, admit).catch((error: unknown) => {
    giveBack();
    throw error;
  });
  if (outcome.kind === "wrong") {
    if (!attempt.by) logFailure(ctx, attempt);
    throw invalidCredentials();
  }
  giveBack();
  if (outcome.kind === "deactivated") throw userDeactivated();
  return outcome.value;
}

/** `deploy/fail2ban/` looks for the event's name and its first field. */
function logFailure({ app, realm, requestId }: Context, { email, connection }: SignInAttempt) {
  const address = connection.address();
  serverCounters.of(app).add("sign_in_failures", "password");
  app.log.warn("sign_in_failed", { address, email, realmId: realm.id, requestId });
}

interface Proof {
  password: string;
  /** Owner of the e-mail address; undefined if nobody has it. */
  user: UserRow | undefined;
  counters: Counter[];
}

/**
 * Compares a password, and counts or admits in a write. Throws if the password could not be
 * checked, or if it was right and `admit` failed.
 */
async function prove<T>(
  ctx: Context,
  { password, user, counters }: Proof,
  admit: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<Outcome<T>> {
  const { app, realm } = ctx;
  const passwordHash =
    user && user.botType === null ? await passwordHashOf(app, realm, user) : null;
  const isRight = await isPasswordRight(app, password, passwordHash);
  return write(ctx, async (tx): Promise<Outcome<T>> => {
    if (!(await loadRealm(tx, realm.id)).isActive) throw realmDeactivated();
    const isOpen = !(await isLocked(tx, realm.id, counters));
    const current = user && isRight && isOpen ? await loadUser(tx, realm.id, user.id) : undefined;
    if (!current || current.passwordHash !== passwordHash) {
      await countFailure(tx, realm.id, counters);
      return { kind: "wrong" };
    }
    if (!current.isActive) return { kind: "deactivated" };
    await forgetOwnFailures(tx, realm.id, counters);
    return { kind: "admitted", value: await admit(tx, await noteSignIn(tx, current)) };
  });
}

interface OpenSource {
  counters: Counter[];
  /**
   * Whether failures are not counted under the address, so that strangers at the address cannot use
   * up the attempts.
   */
  isKnown: boolean;
}

/**
 * Source of an attempt. A known browser that has failed too often counts as unknown until its half
 * hour is over. Refuses a person who is signed in and has failed too often, before hashing anything
 * (AUTHENTICATION_FAILED).
 */
async function openSource(
  ctx: Context,
  { by, connection }: SignInAttempt,
  user: UserRow | undefined,
  emailKey: string,
): Promise<OpenSource> {
  const { app, realm, now, reader } = ctx;
  const lookAt = async (source: SignInSource) => {
    const counters = countersOf(app.secrets, source);
    return { counters, isLocked: await isLocked({ ...reader, now }, realm.id, counters) };
  };
  if (by) {
    const ofPerson = await lookAt({ kind: "person", actor: by });
    if (ofPerson.isLocked) throw invalidCredentials();
    return { counters: ofPerson.counters, isKnown: true };
  }
  const browserId = findKnownBrowser(ctx, user, originOf(ctx, connection));
  const ofBrowser =
    user && browserId && (await lookAt({ kind: "known browser", userId: user.id, browserId }));
  if (ofBrowser && !ofBrowser.isLocked) return { counters: ofBrowser.counters, isKnown: true };
  const counters = countersOf(app.secrets, {
    kind: "unknown",
    emailKey,
    address: connection.address(),
  });
  return { counters, isKnown: false };
}
