import { useState } from "preact/hooks";
import { patch } from "../net/api";
import { csrfToken, forgetCsrfToken } from "../net/csrf-token";
import { attempt } from "../store/notices";
import { me, organization, users } from "../store/state";
import { settingsWords } from "../words/settings";
import { ApiKey } from "./api-key";
import { Part } from "./controls";
import { openDeactivation } from "./deactivation";
import { leaveNothing } from "./leaving";
import { AccountForm, PasswordField } from "./password-field";
import { SessionList } from "./sessions";

const { account } = settingsWords;

/** Address, password, sessions and the end of the account. */
export const Account = () => (
  <>
    <Address />
    <Password />
    <Part name={account.sessions}>
      <SessionList />
      <SignOut />
    </Part>
    <ApiKey />
    <Part name={account.deactivate}>
      <p class="quiet">{account.deactivateHelp}</p>
      <div class="choices">
        <button type="button" class="button dangerous" onClick={openDeactivation}>
          {account.deactivate}
        </button>
      </div>
    </Part>
  </>
);

function Address() {
  const own = users.value.get(me.value);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const isFixed = organization.value.email_changes_disabled && own?.is_admin !== true;
  const send = async () => {
    await patch("/settings", { email, old_password: password });
    setEmail("");
    setPassword("");
  };
  return (
    <Part name={account.email}>
      <p dir="auto">{own?.delivery_email ?? own?.email}</p>
      {isFixed ? (
        <p class="quiet">{account.emailFixed}</p>
      ) : (
        <AccountForm
          control="email"
          action={account.emailChange}
          send={send}
          done={account.emailChanged}
        >
          <label class="labelled">
            {account.emailNew}
            <input
              type="email"
              class="field"
              autocomplete="email"
              required
              value={email}
              onInput={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          </label>
          <PasswordField label={account.passwordNow} value={password} set={setPassword} />
        </AccountForm>
      )}
    </Part>
  );
}

function Password() {
  const [before, setBefore] = useState("");
  const [after, setAfter] = useState("");
  const send = async () => {
    await patch("/settings", { old_password: before, new_password: after });
    setBefore("");
    setAfter("");
  };
  return (
    <Part name={account.password}>
      <p class="quiet">{account.passwordHelp}</p>
      <AccountForm
        control="password"
        action={account.passwordChange}
        send={send}
        done={account.passwordChanged}
      >
        <PasswordField label={account.passwordNow} value={before} set={setBefore} />
        <PasswordField label={account.passwordNew} value={after} set={setAfter} isNew />
      </AccountForm>
    </Part>
  );
}

/** Ways to end sessions: forms of the pages of sign-in, which lead to where one signs in again. */
const SignOut = () => (
  <div class="choices">
    <a class="button" href="/account">
      {account.page}
    </a>
    <form method="post" action="/logout" onSubmit={(event) => void submitSigned(event)}>
      <button type="submit" class="button">
        {account.logOut}
      </button>
    </form>
    <form method="post" action="/logout/everywhere" onSubmit={(event) => void submitSigned(event)}>
      <label class="choice">
        <input type="checkbox" name="end_api_keys" value="true" />
        {account.endKeys}
      </label>
      <button type="submit" class="button">
        {account.logOutEverywhere}
      </button>
    </form>
  </div>
);

/** Whether a form is on its way, because a second click would submit it once more. */
let isLeaving = false;
// A page that the browser has kept, and shows again, begins anew.
addEventListener("pageshow", () => {
  isLeaving = false;
});

/**
 * Submits a form with the token of the session, without which the server does not take it: that of
 * this moment, because the page's own may be of a session before, or none where the page was opened
 * without the server.
 */
async function submitSigned(event: Event): Promise<void> {
  event.preventDefault();
  const { currentTarget: form } = event;
  if (!(form instanceof HTMLFormElement) || isLeaving) return;
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
