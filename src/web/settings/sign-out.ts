import { csrfToken, forgetCsrfToken } from "../net/csrf-token";
import { attempt } from "../store/notices";
import { clearBrowserData, isLeaving, leaveBy } from "./leaving";

/** Ends the session of this browser, and goes to the login page. */
export async function logOut(): Promise<void> {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/logout";
  document.body.append(form);
  await submit(form);
  form.remove();
}

/** Submits a form that ends sessions, with the session's token. */
export async function submitSigned(event: Event): Promise<void> {
  event.preventDefault();
  const { currentTarget: form } = event;
  if (form instanceof HTMLFormElement) await submit(form);
}

/**
 * Submits a form with the session's current token, which the server requires, because the page's
 * own token may belong to an earlier session, or be missing if the page was opened without the
 * server.
 */
async function submit(form: HTMLFormElement): Promise<void> {
  // A second click would submit the form once more.
  if (isLeaving()) return;
  await attempt(() => leaveBy(() => submitNow(form)));
}

async function submitNow(form: HTMLFormElement): Promise<void> {
  forgetCsrfToken();
  const token = document.createElement("input");
  token.type = "hidden";
  token.name = "csrf_token";
  token.value = await csrfToken();
  await clearBrowserData();
  form.append(token);
  form.submit();
}
