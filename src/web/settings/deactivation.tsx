import { useState } from "preact/hooks";
import { remove } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { userName } from "../store/names";
import { me } from "../store/state";
import { settingsWords } from "../words/settings";
import { clearBrowserData, leaveBy } from "./leaving";

const { account } = settingsWords;

/** Asks for the person's name before their account is deactivated. */
export const openDeactivation = (): void =>
  showDialog({ title: account.deactivate, body: () => <DeactivationForm /> });

function DeactivationForm() {
  const [typed, setTyped] = useState("");
  const name = userName(me.value);
  const isMeant = typed.trim() === name.trim();
  const send = async () => {
    await leaveBy(() => remove("/users/me"));
    await clearBrowserData();
    location.assign("/login");
  };
  const label = account.deactivateName(name);
  return (
    <DialogForm action={account.deactivate} isDangerous send={send}>
      <p>{account.deactivateHelp}</p>
      <label class="labelled">
        <span dir="auto">{label}</span>
        <input
          type="text"
          class="field"
          dir="auto"
          autocomplete="off"
          required
          value={typed}
          ref={(field) => field?.setCustomValidity(isMeant ? "" : label)}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
    </DialogForm>
  );
}
