import { csrfToken, forgetCsrfToken } from "../net/csrf-token";
import { attempt } from "../store/notices";
import { leaveNothing } from "./leaving";

/** Whether a form is on its way, because a second click would submit it once more. */
let isLeaving = false;
// A page that the browser has kept, and shows again, begins anew.
addEventListener("pageshow", () => {
  isLeaving = false;
});

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
  if (isLeaving) return;
  isLeaving = true;
  isLeaving = await attempt(async () => {
    forgetCsrfToken();
    const token = document.createElement("input");
    token.type = "hidden";
    token.name = "csrf_token";
    token.value = await csrfToken();
    await leaveNothing();
    form.append(token);
    form.submit();
  });
}
