import type { FlaggedMessage } from "../model/message";
import type { Poll, PollOption } from "../model/poll";
import { userName } from "../store/names";
import { me } from "../store/state";
import { widgetWords } from "../words/widgets";
import { grouped, language, words } from "../words/words";
import { act } from "./act";
import { addToPoll } from "./add-option";
import { AddForm, Title } from "./fields";
import { toggleVote, votersOf } from "./vote";

interface PollProps {
  message: FlaggedMessage;
  poll: Poll;
}

/** A poll: its options with the people who have voted for each. */
export function PollView({ message, poll }: PollProps) {
  const { question, options } = poll;
  const isMine = message.sender_id === me.value;
  return (
    <section
      class="rendered widget"
      aria-label={widgetWords.poll(question || widgetWords.noQuestion)}
    >
      <Title
        id={`${message.id} question`}
        text={question}
        fallback={widgetWords.noQuestion}
        change={
          isMine ? { label: widgetWords.question, open: widgetWords.changeQuestion } : undefined
        }
        save={(text) => act(message, { type: "question", question: text })}
      />
      <ul>
        {options.map((option) => (
          <OptionLine key={option.key} message={message} option={option} />
        ))}
      </ul>
      <AddForm
        id={`${message.id} option`}
        label={widgetWords.newOption}
        add={(text) => addToPoll(message, poll, text)}
      />
    </section>
  );
}

function OptionLine({ message, option }: { message: FlaggedMessage; option: PollOption }) {
  const { text } = option;
  const voters = votersOf(message, option);
  return (
    <li>
      <button
        type="button"
        class="vote"
        aria-pressed={voters.includes(me.value)}
        aria-label={widgetWords.votes(text, voters.length)}
        onClick={() => toggleVote(message, option)}
      >
        {grouped(voters.length)}
      </button>
      <span>
        <span dir="auto">{text}</span>
        {voters.length > 0 && <small dir="auto">{namesOf(voters)}</small>}
      </span>
    </li>
  );
}

const namesMax = 10;
const list = new Intl.ListFormat(language, { type: "conjunction" });

/** The names of voters. The person's own name is "you". */
function namesOf(voters: readonly number[]): string {
  const named = voters.slice(0, namesMax).map((id) => (id === me.value ? words.you : userName(id)));
  const rest = voters.length - named.length;
  return rest === 0 ? list.format(named) : `${named.join(", ")} ${widgetWords.andMore(rest)}`;
}
