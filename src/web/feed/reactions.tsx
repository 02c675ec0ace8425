import type { FlaggedMessage } from "../model/message";
import { mayReact } from "../model/reacting";
import { EmojiSign } from "../parts/emoji-sign";
import { Icon } from "../parts/icon";
import { withLateParts } from "../parts/late";
import { userName } from "../store/names";
import { type Chip, chipsOf, toggleReaction } from "../store/reactions";
import { me, model } from "../store/state";
import { grouped, language, words } from "../words/words";

const list = new Intl.ListFormat(language, { type: "conjunction" });

/** The emoji on a message, each with the number of people. A click adds or removes one's own. */
export function Reactions({ message }: { message: FlaggedMessage }) {
  const chips = chipsOf(message);
  if (chips.length === 0) return null;
  const isOpen = mayReact(model.value, message);
  return (
    <ul class="foot" aria-label={words.reactionList}>
      {chips.map((chip) => (
        <li key={chip.key}>
          <ReactionChip messageId={message.id} chip={chip} isOpen={isOpen} />
        </li>
      ))}
      {isOpen && (
        <li>
          <button
            type="button"
            class="reaction more"
            title={words.actions.addReaction}
            aria-label={words.actions.addReaction}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) =>
              withLateParts(({ openReactionPicker }) =>
                openReactionPicker(message.id, currentTarget),
              )
            }
          >
            <Icon name="smile" />
          </button>
        </li>
      )}
    </ul>
  );
}

interface ChipProps {
  messageId: number;
  chip: Chip;
  /** Whether the person may add it too. */
  isOpen: boolean;
}

function ReactionChip({ messageId, chip, isOpen }: ChipProps) {
  const { emoji: shown, userIds, isMine } = chip;
  const label = words.reactions(shown.emoji_name, userIds.length, list.format(namesOf(userIds)));
  return (
    <button
      type="button"
      class="reaction"
      disabled={!isOpen}
      aria-pressed={isMine}
      title={label}
      aria-label={label}
      onClick={() => toggleReaction(messageId, shown)}
    >
      <EmojiSign emoji={shown} />
      <span>{grouped(userIds.length)}</span>
    </button>
  );
}

const namesMax = 20;

/** The names of the people who have reacted with an emoji. The person's own name is "you". */
function namesOf(userIds: readonly number[]): readonly string[] {
  const named = userIds.slice(0, namesMax);
  const rest = userIds.length - named.length;
  const names = named.map((id) => (id === me.value ? words.you : userName(id)));
  return rest === 0 ? names : [...names, words.actions.others(rest)];
}
