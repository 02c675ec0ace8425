import { type Group, membersOfGroup } from "../model/groups";
import { Face } from "../parts/face";
import { Windowed } from "../parts/windowed";
import { openCard } from "../store/card";
import { signOfUser } from "../store/presence";
import { groups, users } from "../store/state";
import { cardWords } from "../words/cards";
import { copyMention } from "./person-buttons";

/** A group of users: its description, and its members, including members of nested groups. */
export function GroupCard({ group, anchor }: { group: Group; anchor: HTMLElement }) {
  const members = [...membersOfGroup(groups.value, group.id)]
    .flatMap((id) => users.value.get(id) ?? [])
    .filter(({ is_active }) => is_active)
    .sort((one, other) => one.full_name.localeCompare(other.full_name));
  return (
    <>
      <div class="card-head">
        <div>
          <h2 dir="auto">{group.name}</h2>
          <p>{`${cardWords.group} · ${cardWords.members(members.length)}`}</p>
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it. */}
      <div class="card-body" tabIndex={0}>
        {group.description !== "" && <p dir="auto">{group.description}</p>}
        <Windowed
          label={cardWords.members(members.length)}
          rows={members}
          draw={(user, rowPlace) => (
            <li key={user.user_id} {...rowPlace}>
              <button
                type="button"
                class="line"
                onClick={() => openCard({ kind: "person", id: user.user_id, anchor })}
              >
                <Face user={user} sign={signOfUser(user)} />
                <span class="name" dir="auto">
                  {user.full_name}
                </span>
              </button>
            </li>
          )}
        />
      </div>
      <div class="choices">
        <button
          type="button"
          class="chip closing"
          onClick={() => void copyMention(`@*${group.name}*`)}
        >
          {cardWords.copyMention}
        </button>
      </div>
    </>
  );
}
