import { csrfTokenOfPage, userOfPage } from "./page-facts";
import { Refusal, refusalOf } from "./refusal";
import { timeLimit } from "./time-limit";

let asked: Promise<string> | undefined = Promise.resolve(csrfTokenOfPage());

/**
 * The CSRF token for requests of the session: the page's token, or, after that was refused, the one
 * that the server names. If somebody else has signed in meanwhile, the page reloads. Throws a
 * `Refusal`.
 */
export function csrfToken(): Promise<string> {
  asked ??= askForToken();
  return asked;
}

/** Forgets a token that the server has refused, because there is a new session in the browser. */
export function forgetCsrfToken(): void {
  asked = undefined;
}

/**
 * Asks the server whether the session still belongs to the page's person. If it does not, the page
 * reloads. Throws a `Refusal` then, and if the server does not answer.
 */
export async function confirmPerson(): Promise<void> {
  forgetCsrfToken();
  await csrfToken();
}

interface AnsweredSession {
  readonly csrf_token: string;
  readonly user_id: number;
}

async function askForToken(): Promise<string> {
  try {
    const response = await fetch("/account/session", { signal: timeLimit() });
    if (!response.ok) throw await refusalOf(response);
    const { csrf_token, user_id }: AnsweredSession = await response.json();
    if (user_id === userOfPage()) return csrf_token;
    // Somebody else has signed in meanwhile, so nothing of the page's person may be sent in their
    // name.
    location.reload();
    throw new Refusal(0, "OTHER_PERSON", "Somebody else has signed in to this browser.");
  } catch (error) {
    forgetCsrfToken();
    throw Refusal.of(error);
  }
}
