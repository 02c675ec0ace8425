import { useEffect, useState } from "preact/hooks";
import { sendsMail } from "../model/permissions";
import { patch } from "../net/api";
import { Refusal } from "../net/refusal";
import { readHasPassword } from "../net/sessions";
import { me, model, organization, users } from "../store/state";
import { settingsWords } from "../words/settings";
import { ApiKey } from "./api-key";
import { Part } from "./controls";
import { openDeactivation } from "./deactivation";
import { AccountForm, PasswordField } from "./password-field";
import { SessionList } from "./sessions";
import { submitSigned } from "./sign-out";

const { account } = settingsWords;

/** The e-mail address, the password, the sessions and the deactivation of the account. */
export function Account() {
  const hasPassword = useHasPassword();
  // A new password ends other sessions and the API keys, so the page must not show them any more.
  const [passwordChanges, setPasswordChanges] = useState(0);
  const noteChange = () => setPasswordChanges((count) => count + 1);
  return (
    <>
      <Address hasPassword={hasPassword} />
      <Part name={account.password}>
        {hasPassword ? <Password noteChange={noteChange} /> : <FirstPassword />}
      </Part>
      <Part name={account.sessions}>
        <SessionList key={passwordChanges} />
        <SignOut />
      </Part>
      <ApiKey key={passwordChanges} hasPassword={hasPassword} />
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
}

/**
 * Whether the person has a password. It is true until the server denies it, because most people
 * have one.
 */
function useHasPassword(): boolean {
  const [hasPassword, setHasPassword] = useState(true);
  useEffect(() => {
    readHasPassword().then(setHasPassword, (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }, []);
  return hasPassword;
}

/** A link to the page where people who signed in by a link choose their first password. */
const FirstPassword = () => (
  <>
    <p class="quiet">{account.passwordNone}</p>
    <div class="choices">
      <a class="button" href="/account">
        {account.passwordChoose}
      </a>
    </div>
  </>
);

function Address({ hasPassword }: { hasPassword: boolean }) {
  const own = users.value.get(me.value);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const isFixed = organization.value.email_changes_disabled && own?.is_admin !== true;
  const send = async () => {
    await patch("/settings", { email, old_password: password });
    setEmail("");
    setPassword("");
    const isAsked = sendsMail(model.value) && email.trim() !== own?.delivery_email;
    return isAsked ? account.emailAsked(email.trim()) : account.emailChanged;
  };
  return (
    <Part name={account.email}>
      <p dir="auto">{own?.delivery_email ?? own?.email}</p>
      {isFixed && <p class="quiet">{account.emailFixed}</p>}
      {!isFixed && !hasPassword && <p class="quiet">{account.emailNeedsPassword}</p>}
      {!isFixed && hasPassword && (
        <AccountForm control="email" action={account.emailChange} send={send}>
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

function Password({ noteChange }: { noteChange(): void }) {
  const [before, setBefore] = useState("");
  const [after, setAfter] = useState("");
  const send = async () => {
    await patch("/settings", { old_password: before, new_password: after });
    setBefore("");
    setAfter("");
    noteChange();
    return account.passwordChanged;
  };
  return (
    <>
      <p class="quiet">{account.passwordHelp}</p>
      <AccountForm control="password" action={account.passwordChange} send={send}>
        <PasswordField label={account.passwordNow} value={before} set={setBefore} />
        <PasswordField label={account.passwordNew} value={after} set={setAfter} isNew />
      </AccountForm>
    </>
  );
}

/**
 * Buttons that end sessions. They are forms of the sign-in pages, which then lead to the login
 * page.
 */
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
