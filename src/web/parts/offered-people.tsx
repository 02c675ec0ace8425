import { rankedBy } from "../model/ranking";
import type { User } from "../model/wire";
import { users } from "../store/state";

const offeredMax = 8;

interface Sought {
  /** People who are not offered, because they are chosen already. */
  isChosen(userId: number): boolean;
  /** Whether bots are offered too. */
  withBots?: boolean;
}

/** Active people, except bots of the server, whose names or addresses fit a text, the best ones first. */
export const peopleNamed = (text: string, { isChosen, withBots = false }: Sought): User[] =>
  rankedBy(
    [...users.value.values()]
      .filter(
        ({ user_id: id, is_active, is_bot, is_system_bot }) =>
          is_active && !is_system_bot && (withBots || !is_bot) && !isChosen(id),
      )
      .map((user) => ({
        user,
        name: user.full_name,
        otherWords: user.delivery_email ?? "",
        recency: 0,
      })),
    text,
    offeredMax,
  ).map(({ user }) => user);

interface OfferedProps {
  people: readonly User[];
  /** Words of somebody's button; the name alone by default. */
  wordsOf?(name: string): string;
  choose(userId: number): void;
}

/** People to choose from. People with one name are told apart by their addresses. */
export const OfferedPeople = ({ people, wordsOf = String, choose }: OfferedProps) => (
  <ul class="offered">
    {people.map(({ user_id: id, full_name: name, delivery_email: email }) => {
      const isAlone = people.every((other) => other.user_id === id || other.full_name !== name);
      const about = isAlone || email === null ? name : `${name}, ${email}`;
      return (
        <li key={id}>
          <button type="button" class="line" onClick={() => choose(id)}>
            <span class="name" dir="auto">
              {wordsOf(about)}
            </span>
          </button>
        </li>
      );
    })}
  </ul>
);
