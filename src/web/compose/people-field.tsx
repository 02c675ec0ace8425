import { useState } from "preact/hooks";
import { Avatar } from "../parts/avatar";
import { Icon } from "../parts/icon";
import { chooseTarget, focusText, openRecipient } from "../store/box";
import { userName } from "../store/names";
import { conversations, me, users } from "../store/state";
import { composeWords } from "../words/compose";
import { type Choice, ChoiceField } from "./choice-field";
import { bestOf, matchOf } from "./matching";

const choicesMax = 8;

/** The field for the people to whom a message is sent. */
export function PeopleField({ userIds }: { userIds: readonly number[] }) {
  const [typed, setTyped] = useState("");
  const choose = (ids: readonly number[]) => {
    chooseTarget({ kind: "direct", userIds: ids });
    setTyped("");
  };
  // The person's button is removed.
  const remove = (id: number) =>
    openRecipient({ kind: "direct", userIds: userIds.filter((one) => one !== id) });
  return (
    <>
      {userIds.map((id) => (
        <Person key={id} userId={id} remove={() => remove(id)} />
      ))}
      <ChoiceField
        label={composeWords.people}
        value={typed}
        choices={choicesFor(typed, userIds)}
        onInput={setTyped}
        onChoose={({ key }) => choose([...userIds, Number(key)])}
        onBackspace={() => choose(userIds.slice(0, -1))}
        onDone={focusText}
        isStrict
      />
    </>
  );
}

function Person({ userId, remove }: { userId: number; remove: () => void }) {
  const label = composeWords.removePerson(userName(userId));
  return (
    <button type="button" class="chip" title={label} aria-label={label} onClick={remove}>
      <b dir="auto">{userName(userId)}</b>
      <Icon name="close" />
    </button>
  );
}

function choicesFor(typed: string, chosen: readonly number[]): readonly Choice[] {
  const newest = new Map<number, number>();
  for (const [key, id] of conversations.value)
    for (const userId of key.split(",").map(Number))
      newest.set(userId, Math.max(newest.get(userId) ?? 0, id));
  const fitting = [...users.value.values()]
    .filter(({ user_id, is_active }) => is_active !== false && !chosen.includes(user_id))
    .filter(({ user_id }) => user_id !== me.value || chosen.length === 0)
    .flatMap((user) => {
      const { full_name: name } = user;
      const match = matchOf(name, typed);
      return match ? [{ user, name, match, order: -(newest.get(user.user_id) ?? 0) }] : [];
    });
  return bestOf(fitting, choicesMax).map(({ user, match }) => ({
    key: String(user.user_id),
    name: user.full_name,
    match,
    sign: <Avatar user={user} isSmall />,
  }));
}
