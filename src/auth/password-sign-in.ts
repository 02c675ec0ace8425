import type { Context, Tx, UserRow } from "../core/context";
import { badRequest, invalidCredentials, realmDeactivated, userDeactivated } from "../core/errors";
import { type Input, record, text } from "../core/params";
import { write } from "../core/write";
import type { Connection } from "../http/endpoint";
import { loadRealm } from "../realm/queries";
import { noteSignIn } from "../users/first-sign-in";
import { emailKeyOf, findUserByEmail, loadUser } from "../users/queries";
import { insertApiKey } from "./api-keys";
import { countFailure, forgetFailures, isLocked, takeAttempt } from "./failed-sign-ins";
import { isPasswordRight } from "./passwords";
import { mailSignIn } from "./sign-in-mail";

const emailLengthMax = 254;

export const FetchApiKey = record({ username: text(), password: text() });

/**
 * Signs somebody in with e-mail address and password and answers a new API key, labelled with the client's name; earlier
 * keys stay valid. Refuses as `signInWithPassword` does.
 */
export async function fetchApiKey(
  ctx: Context,
  { username, password }: Input<typeof FetchApiKey>,
  connection: Pick<Connection, "address" | "header">,
): Promise<{ api_key: string; email: string; user_id: number }> {
  const attempt = { email: username, password, address: connection.address() };
  return signInWithPassword(ctx, attempt, async (tx, user) => {
    const { apiKey } = await insertApiKey(tx, ctx, user, ctx.client);
    await mailSignIn(tx, ctx, user, connection);
    return { api_key: apiKey, email: user.email, user_id: user.id };
  });
}

export interface SignInAttempt {
  email: string;
  password: string;
  /** The client's. */
  address: string;
}

/** What came of an attempt, as of the write that counts it. */
type Outcome<T> = { kind: "admitted"; value: T } | { kind: "wrong" } | { kind: "deactivated" };

/**
 * The one way to sign in with a password: `admit` runs in the write, for the account as it is then. After five failures an
 * e-mail address is locked for half an hour, on all nodes and whether or not somebody has it; a success starts anew. An
 * unknown address, a wrong password and a lock are answered alike and take alike (AUTHENTICATION_FAILED, 401). Whoever has
 * the right password of a deactivated account is told so (USER_DEACTIVATED, 401). Events: see `noteSignIn`. Too many failures of one client address,
 * and too many checks at a time, are refused before the password is looked at (RATE_LIMIT_HIT, 429).
 */
export async function signInWithPassword<T>(
  ctx: Context,
  { email, password, address }: SignInAttempt,
  admit: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const { app, realm } = ctx;
  if (!realm.isActive) throw realmDeactivated();
  if (!email.includes("@") || email.length > emailLengthMax) throw badRequest("Your username is your e-mail address.");
  const giveBack = takeAttempt(app, address, ctx.now);
  const user = await findUserByEmail(ctx.reader, realm.id, email);
  const passwordHash = user && user.botType === null ? user.passwordHash : null;
  const isRight = await isPasswordRight(app, password, passwordHash).catch((refusal: unknown) => {
    giveBack();
    throw refusal;
  });
  const outcome = await write(ctx, async (tx): Promise<Outcome<T>> => {
    if (!(await loadRealm(tx, realm.id)).isActive) throw realmDeactivated();
    const emailKey = user?.emailKey ?? emailKeyOf(email);
    const isOpen = !(await isLocked(tx, realm.id, emailKey));
    const current = user && isRight && isOpen ? await loadUser(tx, realm.id, user.id) : undefined;
    if (!current || current.passwordHash !== passwordHash) {
      await countFailure(tx, realm.id, emailKey);
      return { kind: "wrong" };
    }
    if (!current.isActive) return { kind: "deactivated" };
    await forgetFailures(tx, realm.id, emailKey);
    return { kind: "admitted", value: await admit(tx, await noteSignIn(tx, current)) };
  });
  if (outcome.kind === "wrong") throw invalidCredentials();
  giveBack();
  if (outcome.kind === "deactivated") throw userDeactivated();
  return outcome.value;
}
