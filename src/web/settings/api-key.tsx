import { useState } from "preact/hooks";
import { post, Refusal } from "../net/api";
import { copyText } from "../parts/copying";
import { notify } from "../store/notices";
import { me, users } from "../store/state";
import { settingsWords } from "../words/settings";
import { words } from "../words/words";
import { Part } from "./controls";
import { AccountForm, PasswordField } from "./password-field";

const { account } = settingsWords;

/** An API key for other clients, shown after the password was entered. */
export function ApiKey({ hasPassword }: { hasPassword: boolean }) {
  const [password, setPassword] = useState("");
  const [key, setKey] = useState<string>();
  const send = async () => {
    setKey(await keyFor(password));
    setPassword("");
    return "";
  };
  return (
    <Part name={account.key}>
      <p class="quiet">{account.keyHelp}</p>
      {!hasPassword && <p class="quiet">{account.keyWithoutPassword}</p>}
      {hasPassword && key === undefined && (
        <AccountForm control="key" action={account.keyGet} send={send}>
          <PasswordField label={account.passwordNow} value={password} set={setPassword} />
        </AccountForm>
      )}
      {key !== undefined && <ShownKey apiKey={key} hide={() => setKey(undefined)} />}
    </Part>
  );
}

async function keyFor(password: string): Promise<string> {
  const own = users.peek().get(me.peek());
  try {
    const username = own?.delivery_email ?? own?.email ?? "";
    const { api_key } = await post("/fetch_api_key", { username, password });
    return api_key;
  } catch (error) {
    // The server refuses the password, not the session of this page.
    if (error instanceof Refusal && error.code === "AUTHENTICATION_FAILED")
      throw new Refusal(error.status, error.code, account.keyWrong);
    throw error;
  }
}

function ShownKey({ apiKey, hide }: { apiKey: string; hide: () => void }) {
  const copy = async () =>
    notify((await copyText(apiKey)) ? words.copied : words.actions.notCopied);
  return (
    <>
      <p>{account.keyIs}</p>
      <div class="choices">
        <input
          class="field"
          readOnly
          aria-label={account.key}
          value={apiKey}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" class="button" onClick={() => void copy()}>
          {words.copyCode}
        </button>
        <button type="button" class="button" onClick={hide}>
          {account.keyHide}
        </button>
      </div>
    </>
  );
}
