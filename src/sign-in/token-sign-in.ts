import { type Static, Type } from "@sinclair/typebox";
import type { Context } from "../core/context";
import type { Connection } from "../core/endpoint";
import { badRequest, realmDeactivated, unknownTokenHolder, userDeactivated } from "../core/errors";
import { flag, type Input, optional, record, text } from "../core/params";
import { write } from "../core/write";
import { emailKeyOf, findUserByEmail, loadUser } from "../people/users/queries";
import { ownUserWire } from "../people/users/read";
import { userObject } from "../people/users/wire";
import { loadRealm } from "../realm/queries";
import { insertApiKey } from "./api-keys";
import { noteSignIn } from "./first-sign-in";
import { mailSignIn } from "./sign-in-mail";
import { readWebToken } from "./web-token";

export const FetchKeyByToken = record({ token: text(), includeProfile: optional(flag()) });
export const KeyByToken = record({
  api_key: Type.String(),
  email: Type.String(),
  user: Type.Optional(userObject),
});

/**
 * Signs a person in by a token of a program of the operator, which names their e-mail address
 * (`readWebToken`). Answers a new API key, and on request their profile. Refuses all tokens if the
 * server has no `jwt_secret` (BAD_REQUEST), addresses of nobody and of bots (AUTHENTICATION_FAILED,
 * 401) and deactivated accounts (USER_DEACTIVATED, 401). Events: see `noteSignIn`. Source:
 * `test/recorded/api/api-surface.json`, jwt-fetch-api-key.
 */
export async function fetchKeyByToken(
  ctx: Context,
  { token, includeProfile }: Input<typeof FetchKeyByToken>,
  connection: Pick<Connection, "address" | "header">,
): Promise<Static<typeof KeyByToken>> {
  const { app, realm, reader, now } = ctx;
  const { jwtSecret: secret } = app.config;
  if (secret === undefined) throw badRequest("This server does not accept tokens for sign-in.");
  const email = readWebToken(token, { secret, audience: realm.host, now });
  const found = await findUserByEmail(reader, realm.id, email);
  // The token is the only proof, so the address must be the account's real one: a placeholder
  // address may be another person's mailbox.
  const isTheirs = found?.emailKey === emailKeyOf(email);
  if (!found || !isTheirs || found.botType !== null) throw unknownTokenHolder();
  return write(ctx, async (tx) => {
    if (!(await loadRealm(tx, realm.id)).isActive) throw realmDeactivated();
    const current = await loadUser(tx, realm.id, found.id);
    if (!current.isActive) throw userDeactivated();
    const user = await noteSignIn(tx, current);
    const { apiKey, ended } = await insertApiKey(tx, ctx, user, ctx.client);
    await mailSignIn(tx, ctx, user, connection, ended);
    const fetched = { api_key: apiKey, email: user.email };
    return includeProfile === true ? { ...fetched, user: ownUserWire(realm, user) } : fetched;
  });
}
