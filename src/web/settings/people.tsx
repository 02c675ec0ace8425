import { useMemo, useState } from "preact/hooks";
import type { User } from "../model/wire";
import { peopleFitting } from "../parts/offered-people";
import { me, users } from "../store/state";
import { accountWords } from "../words/accounts";
import { words } from "../words/words";
import { AccountButtons } from "./account-buttons";
import { Part } from "./controls";
import { MoreList } from "./more-list";

const shownAtOnce = 20;

type Filter = keyof typeof accountWords.filters;
const filters = ["active", "deactivated"] as const satisfies readonly Filter[];

/** Everybody in the organization but bots, with their roles, for its administrators. */
export function OrganizationPeople() {
  const [text, setText] = useState("");
  const [filter, setFilter] = useState<Filter>("active");
  const everybody = users.value;
  const shown = useMemo(() => peopleShown(everybody, text, filter), [everybody, text, filter]);
  return (
    <Part name={accountWords.people}>
      <div class="choices">
        <input
          type="search"
          class="field"
          dir="auto"
          autocomplete="off"
          placeholder={accountWords.search}
          aria-label={accountWords.search}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {filters.map((one) => (
          <button
            key={one}
            type="button"
            class={one === filter ? "chip on" : "chip"}
            aria-pressed={one === filter}
            onClick={() => setFilter(one)}
          >
            {accountWords.filters[one]}
          </button>
        ))}
      </div>
      <p class="quiet" role="status">
        {shown.length === 0 ? accountWords.nobody : accountWords.found(shown.length)}
      </p>
      <MoreList
        key={filter}
        rows={shown}
        atOnce={shownAtOnce}
        draw={(user) => <Person key={user.user_id} user={user} />}
      />
    </Part>
  );
}

/** The active or the deactivated people whom a text finds; all of these without a text. */
function peopleShown(
  everybody: ReadonlyMap<number, User>,
  text: string,
  filter: Filter,
): readonly User[] {
  const isWanted = filter === "active";
  const all = [...everybody.values()].filter(
    ({ is_bot: isBot, is_active: isActive }) => !isBot && isActive === isWanted,
  );
  return peopleFitting(all, text);
}

function Person({ user }: { user: User }) {
  const { user_id: id, full_name: name, role, delivery_email: email } = user;
  return (
    <li class="account">
      <span class="name">
        <bdi>{name}</bdi> {id === me.value && <small>{words.you}</small>}
        <small class="facts">
          {words.roles.get(role) ?? accountWords.member}
          {email !== null && (
            <>
              {" · "}
              <bdi>{email}</bdi>
            </>
          )}
        </small>
      </span>
      <AccountButtons user={user} />
    </li>
  );
}
