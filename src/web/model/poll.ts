import { indexOf, listOf, membersOf, textOf, type WidgetAction } from "./widget-data";

export interface PollOption {
  readonly key: string;
  readonly text: string;
  /** Ids of the voters, in the order of their votes. */
  readonly voters: readonly number[];
}

/** A question with answers that people vote for. */
export interface Poll {
  readonly kind: "poll";
  readonly question: string;
  readonly options: readonly PollOption[];
}

/**
 * A poll as it was sent. The options that its message contains have no author. Of options with one
 * text it has the first.
 */
export function pollFrom(given: unknown): Poll {
  const { question, options } = membersOf(given);
  const texts = listOf(options).map(textOf);
  return {
    kind: "poll",
    question: textOf(question),
    options: texts.flatMap((text, index) =>
      texts.indexOf(text) === index ? [option(`canned,${index}`, text)] : [],
    ),
  };
}

const option = (key: string, text: string): PollOption => ({ key, text, voters: [] });

const keyOf = (senderId: number, index: number): string => `${senderId},${index}`;

/** A poll after somebody's action. An invalid action changes nothing. */
export function applyToPoll(poll: Poll, { senderId, isByAuthor, data }: WidgetAction): Poll {
  switch (data["type"]) {
    case "vote":
      return withVote(poll, senderId, textOf(data["key"]), data["vote"] === 1);
    case "new_option":
      return withOption(poll, senderId, indexOf(data["idx"]), textOf(data["option"]));
    case "question":
      return isByAuthor ? { ...poll, question: textOf(data["question"]) } : poll;
    default:
      return poll;
  }
}

/** A vote counts once, even if it is sent several times. A withdrawn vote no longer counts. */
function withVote(poll: Poll, voter: number, key: string, isFor: boolean): Poll {
  const changed = (one: PollOption): PollOption => {
    if (one.key !== key || one.voters.includes(voter) === isFor) return one;
    const others = one.voters.filter((id) => id !== voter);
    return { ...one, voters: isFor ? [...others, voter] : others };
  };
  return { ...poll, options: poll.options.map(changed) };
}

/**
 * Nothing is added where an option under any key has the text, which two people may add at one
 * moment. Two devices of a person may add options under one key. The later one then takes the place
 * of the first without the votes for that. Zulip's clients count so, and a vote means one option in
 * all.
 */
function withOption(poll: Poll, senderId: number, index: number | undefined, text: string): Poll {
  if (index === undefined || text.trim() === "" || hasText(poll, text)) return poll;
  const key = keyOf(senderId, index);
  const before = poll.options.find((one) => one.key === key);
  const added = option(key, text);
  return {
    ...poll,
    options: before
      ? poll.options.map((one) => (one === before ? added : one))
      : [...poll.options, added],
  };
}

const hasText = ({ options }: Poll, text: string): boolean =>
  options.some((one) => one.text === text);

/** The action that votes for the option with a key, or withdraws the vote. */
export const voteFor = (key: string, isFor: boolean) => ({
  type: "vote",
  key,
  vote: isFor ? 1 : -1,
});

/**
 * The action that adds an option; undefined if the poll already has it. Its index is at least
 * `first`, because options with lower indexes may be on their way to the server.
 */
export function addOption(poll: Poll, text: string, me: number, first = 1) {
  const trimmed = text.trim();
  if (trimmed === "" || hasText(poll, trimmed)) return undefined;
  let index = first;
  while (poll.options.some(({ key }) => key === keyOf(me, index))) index += 1;
  return { type: "new_option", option: trimmed, idx: index };
}
