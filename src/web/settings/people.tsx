import { useMemo, useState } from "preact/hooks";
import { rankedBy } from "../model/ranking";
import type { User } from "../model/wire";
import { me, users } from "../store/state";
import { accountWords } from "../words/accounts";
import { language, words } from "../words/words";
import { AccountButtons } from "./account-buttons";
import { Part } from "./controls";
import { MoreList } from "./more-list";

const shownAtOnce = 20;
const names = new Intl.Collator(language);

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

/** People whom a text finds, the best first; all of them by their names where it is empty. */
function peopleShown(
  everybody: ReadonlyMap<number, User>,
  text: string,
  filter: Filter,
): readonly User[] {
  const isWanted = filter === "active";
  const all = [...everybody.values()].filter(
    ({ is_bot: isBot, is_active: isActive }) => !isBot && isActive === isWanted,
  );
  if (text.trim() === "")
    return all.sort((one, other) => names.compare(one.full_name, other.full_name));
  const things = all.map((user) => ({
    user,
    name: user.full_name,
    otherWords: user.delivery_email ?? "",
    recency: 0,
  }));
  return rankedBy(things, text, things.length).map(({ user }) => user);
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
