import { csrfToken, forgetCsrfToken } from "../net/csrf-token";
import { attempt } from "../store/notices";
import { clearBrowserData, isLeaving, leaveBy } from "./leaving";

/** Ends the session of this browser, and leads to where one signs in again. */
export async function logOut(): Promise<void> {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/logout";
  document.body.append(form);
  await submit(form);
  form.remove();
}

/** Submits a form that ends sessions, with the token of the session. */
export async function submitSigned(event: Event): Promise<void> {
  event.preventDefault();
  const { currentTarget: form } = event;
  if (form instanceof HTMLFormElement) await submit(form);
}

/**
 * Submits a form with the token of the session, without which the server does not take it: that of
 * this moment, because the page's own may be of a session before, or none where the page was opened
 * without the server.
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
