import type { User } from "../model/wire";
import { post, remove } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { notify } from "../store/notices";
import { accountWords } from "../words/accounts";
import { activeBotsOf } from "./accounts";

/** Asks whether somebody's account is to end. */
export const openEnd = ({ user_id: id, full_name: name, is_bot: isBot }: User): void =>
  showDialog({
    title: accountWords.deactivateNamed(name),
    body: () => (
      <DialogForm
        action={accountWords.deactivate}
        isDangerous
        send={async () => {
          await remove("/users/{user_id_or_email}", { user_id_or_email: id });
          notify(accountWords.deactivated(name));
        }}
      >
        <p>{isBot ? accountWords.deactivateBotHelp : accountWords.deactivateHelp}</p>
        <Bots userId={id} />
      </DialogForm>
    ),
  });

function Bots({ userId }: { userId: number }) {
  const count = activeBotsOf(userId).length;
  return count === 0 ? null : <p>{accountWords.botsEnd(count)}</p>;
}

/** Asks whether an account that has ended is to be valid again. */
export const openReturn = ({ user_id: id, full_name: name, is_bot: isBot }: User): void =>
  showDialog({
    title: accountWords.reactivateNamed(name),
    body: () => (
      <DialogForm
        action={accountWords.reactivate}
        send={async () => {
          await post("/users/{user_id}/reactivate", { user_id: id });
          notify(accountWords.reactivated(name));
        }}
      >
        <p>{isBot ? accountWords.reactivateBotHelp : accountWords.reactivateHelp}</p>
      </DialogForm>
    ),
  });
