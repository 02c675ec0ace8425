import { csrfTokenOfPage, userOfPage } from "./page-facts";
import { Refusal, refusalOf } from "./refusal";
import { timeLimit } from "./time-limit";

let asked: Promise<string> | undefined = Promise.resolve(csrfTokenOfPage());

/**
 * The token that requests of the session carry when they change something, so that no other site
 * can send them: that of the page, or, once it was refused, the one that the server tells. Where
 * the session is another person's by now, the page begins anew. Throws a `Refusal`.
 */
export function csrfToken(): Promise<string> {
  asked ??= askForToken();
  return asked;
}

/** Forgets a token that the server has refused, because the browser has signed in anew since. */
export function forgetCsrfToken(): void {
  asked = undefined;
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
    // Somebody else has signed in since, so nothing may be sent in their name for the page's
    // person.
    location.reload();
    throw new Refusal(0, "OTHER_PERSON", "Somebody else has signed in to this browser.");
  } catch (error) {
    forgetCsrfToken();
    throw Refusal.of(error);
  }
}
