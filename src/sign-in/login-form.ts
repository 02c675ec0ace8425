import type { Page } from "../core/answer";
import type { Context } from "../core/context";
import { type Input, optional, record, text } from "../core/params";
import { type Browser, logIn } from "./browser";
import { askForLoginLink } from "./mailed-links";

export const SubmitLogin = record({
  email: optional(text()),
  password: optional(text()),
  next: optional(text()),
  wants: optional(text()),
});

/**
 * Handles a form of the login page: signs in with a password, or has a link mailed (`wants` is
 * "link"). Both forms are sent to the page itself, because then the browser keeps the fragment of
 * its address.
 */
export const submitLogin = (
  ctx: Context,
  { wants, ...input }: Input<typeof SubmitLogin>,
  browser: Browser,
): Promise<Page> =>
  wants === "link" ? askForLoginLink(ctx, input, browser) : logIn(ctx, input, browser);
