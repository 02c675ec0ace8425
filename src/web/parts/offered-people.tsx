import { rankedBy } from "../model/ranking";
import type { User } from "../model/wire";
import { users } from "../store/state";
import { language } from "../words/words";

const offeredMax = 8;

interface Sought {
  /** Whether somebody is already chosen, and so is not offered. */
  isChosen(userId: number): boolean;
  /** Whether bots are offered too. */
  withBots?: boolean;
}

/**
 * Active people, except bots of the server, whose names or addresses match a text, the best matches
 * first.
 */
export const peopleNamed = (text: string, { isChosen, withBots = false }: Sought): User[] =>
  rankedPeople(
    [...users.value.values()].filter(
      ({ user_id: id, is_active, is_bot, is_system_bot }) =>
        is_active && !is_system_bot && (withBots || !is_bot) && !isChosen(id),
    ),
    text,
    offeredMax,
  );

const names = new Intl.Collator(language);

/**
 * The people among some whose names or addresses match a text, the best matches first; without a
 * text all of them, by their names.
 */
export const peopleFitting = (people: readonly User[], text: string): User[] =>
  text.trim() === ""
    ? people.toSorted((one, other) => names.compare(one.full_name, other.full_name))
    : rankedPeople(people, text, people.length);

function rankedPeople(people: readonly User[], text: string, most: number): User[] {
  const things = people.map((user) => ({
    user,
    name: user.full_name,
    otherWords: user.delivery_email ?? "",
    recency: 0,
  }));
  return rankedBy(things, text, most).map(({ user }) => user);
}

interface OfferedProps {
  people: readonly User[];
  /** The label of somebody's button; by default their name. */
  wordsOf?(name: string): string;
  choose(userId: number): void;
}

/** A list of people to choose from. If several have one name, their addresses are shown. */
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
