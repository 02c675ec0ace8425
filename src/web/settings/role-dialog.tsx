import { useState } from "preact/hooks";
import { roles } from "../../protocol/roles";
import { isLastOwner, mayManage } from "../model/permissions";
import type { User } from "../model/wire";
import { patch } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { notify } from "../store/notices";
import { me, model, users } from "../store/state";
import { accountWords } from "../words/accounts";
import { activeBotsOf } from "./accounts";
import { ExplainedChoice } from "./controls";

/** Asks for another role of somebody. */
export const openRole = ({ user_id: id, full_name: name, role }: User): void =>
  showDialog({
    title: accountWords.roleOf(name),
    body: () => <RoleForm userId={id} before={role} />,
  });

interface FormProps {
  userId: number;
  /** The role that the person had when the form was opened. */
  before: number;
}

function RoleForm({ userId, before }: FormProps) {
  const [choice, setChoice] = useState<number>();
  const user = users.value.get(userId);
  if (!user) return <p role="alert">{accountWords.gone}</p>;
  const chosen = choice ?? user.role;
  const send = async () => {
    if (chosen === user.role) return;
    await patch("/users/{user_id_or_email}", { user_id_or_email: userId, role: chosen });
    notify(accountWords.roleChanged(user.full_name, accountWords.roles[nameOfRole(chosen)].name));
  };
  return (
    <DialogForm action={accountWords.changeRole} send={send}>
      {user.role !== before && (
        <p role="alert">
          {accountWords.changedMeanwhile(accountWords.roles[nameOfRole(user.role)].name)}
        </p>
      )}
      <Roles user={user} chosen={chosen} choose={setChoice} />
      <div class="effects" role="status">
        {effectsOf(user, chosen).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </DialogForm>
  );
}

const roleNames = ["owner", "administrator", "moderator", "member", "guest"] as const;

const nameOfRole = (role: number) => roleNames.find((name) => roles[name] === role) ?? "member";

interface RolesProps {
  user: User;
  chosen: number;
  choose(role: number): void;
}

function Roles({ user, chosen, choose }: RolesProps) {
  const isLast = isLastOwner(model.value, user);
  const isOwner = users.value.get(me.value)?.role === roles.owner;
  const isFixed = isLast || !mayManage(model.value, user);
  return (
    <fieldset>
      <legend class="visually-hidden">{accountWords.role}</legend>
      {roleNames.map((name) => (
        <ExplainedChoice
          key={name}
          group="role"
          name={accountWords.roles[name].name}
          help={accountWords.roles[name].help}
          isChosen={roles[name] === chosen}
          isDisabled={isFixed || (name === "owner" && !isOwner)}
          choose={() => choose(roles[name])}
        />
      ))}
      {isLast && <p class="quiet">{accountWords.lastOwner}</p>}
      {!isOwner && <p class="quiet">{accountWords.ownersByOwners}</p>}
    </fieldset>
  );
}

/** Effects of another role that its name does not tell. */
function effectsOf(user: User, chosen: number): readonly string[] {
  const isLower = chosen > user.role;
  const bots = activeBotsOf(user.user_id).filter(({ role }) => role < chosen);
  return [
    isLower && user.user_id === me.value && accountWords.ownRole,
    isLower && bots.length > 0 && accountWords.botsRole(bots.length),
    chosen === roles.guest && user.role !== chosen && accountWords.becomesGuest,
  ].filter((text) => text !== false);
}
