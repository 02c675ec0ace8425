import { csrfTokenOfPage } from "./page-facts";
import { Refusal, refusalOf } from "./refusal";
import { timeLimit } from "./time-limit";

let asked: Promise<string> | undefined = Promise.resolve(csrfTokenOfPage());

/**
 * The token that requests of the session carry when they change something, so that no other site
 * can send them: that of the page, or, once it was refused, the one that the server tells. Throws a
 * `Refusal`.
 */
export function csrfToken(): Promise<string> {
  asked ??= askForToken();
  return asked;
}

/** Forgets a token that the server has refused, because the browser has signed in anew since. */
export function forgetCsrfToken(): void {
  asked = undefined;
}

async function askForToken(): Promise<string> {
  try {
    const response = await fetch("/account/session", { signal: timeLimit() });
    if (!response.ok) throw await refusalOf(response);
    const { csrf_token }: { csrf_token: string } = await response.json();
    return csrf_token;
  } catch (error) {
    forgetCsrfToken();
    throw Refusal.of(error);
  }
}
