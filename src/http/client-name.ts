import type { Context } from "../core/context";

const lengthMax = 64;
const unnamed = "Unspecified";

/** The parameter by which a client names itself; every endpoint accepts it. */
export const clientParameter = "client";

/**
 * The first word of a User-Agent, without its version: `ZulipPython/0.9` is shown as ZulipPython.
 */
export function clientNameIn(userAgent: string | null): string {
  if (userAgent?.startsWith("Mozilla/")) return "website";
  return firstWord(userAgent ?? "");
}

const firstWord = (text: string) =>
  /^[A-Za-z0-9._-]+/.exec(text)?.[0].slice(0, lengthMax) ?? unnamed;

/** The context of a request whose parameter names the client, if its User-Agent does not. */
export function withClientName(ctx: Context, parameters: ReadonlyMap<string, string>): Context {
  const given = ctx.client === unnamed ? parameters.get(clientParameter) : undefined;
  return given === undefined ? ctx : { ...ctx, client: firstWord(given) };
}
