import type { Context } from "../core/context";
import { makeApiKey } from "../core/secrets/secrets";

/** A new link's token, which is stored nowhere else, and the keyed hash by which it is found. */
export function makeToken(ctx: Context): { token: string; hash: string } {
  const token = makeApiKey();
  return { token, hash: hashOf(ctx, token) };
}

export const hashOf = ({ app }: Pick<Context, "app">, token: string): string =>
  app.secrets.hash("invitation", token);

/** Address of an invitation's page. */
export const linkOf = ({ url }: Pick<Context, "url">, token: string): string =>
  `${url}/join/${token}`;

const purposeOf = (realmId: number) => `invitation:${realmId}`;

/** A reusable link's token, encrypted because it must be shown again. */
export const sealToken = ({ app, realm }: Context, token: string): string =>
  app.secrets.seal(purposeOf(realm.id), token);

/** The address of a reusable link from its sealed token. */
export const openedLink = (ctx: Context, sealed: string): string =>
  linkOf(ctx, ctx.app.secrets.open(purposeOf(ctx.realm.id), sealed));
