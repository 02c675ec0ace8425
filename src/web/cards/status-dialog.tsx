import { useState } from "preact/hooks";
import { post } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { EmojiPicker } from "../parts/emoji-picker";
import { EmojiSign } from "../parts/emoji-sign";
import { type Emoji, frequentEmoji } from "../store/emoji-use";
import { me, statuses } from "../store/state";
import { cardWords } from "../words/cards";
import { words } from "../words/words";

const textLengthMax = 60;

/** Asks for the person's status: a text, and an emoji. */
export const openStatus = (): void =>
  showDialog({ title: cardWords.status, body: () => <StatusForm /> });

/** A status that was begun and not set: a closed dialog loses nothing of it. */
let begun: { readonly text: string; readonly emoji: Emoji | undefined } | undefined;

function StatusForm() {
  const [status, setStatus] = useState(begun ?? ownStatus());
  const set = (changes: Partial<typeof status>) => {
    begun = { ...status, ...changes };
    setStatus(begun);
  };
  const send = async () => {
    await post("/users/me/status", {
      status_text: status.text,
      emoji_name: status.emoji?.emoji_name ?? "",
      ...(status.emoji ?? {}),
    });
    begun = undefined;
  };
  return (
    <DialogForm action={words.actions.save} send={send}>
      <label class="labelled">
        {cardWords.statusText}
        <input
          type="text"
          class="field"
          dir="auto"
          maxLength={textLengthMax}
          value={status.text}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      </label>
      <EmojiChoice chosen={status.emoji} choose={(emoji) => set({ emoji })} />
      <button type="button" class="button" onClick={() => set({ text: "", emoji: undefined })}>
        {cardWords.clear}
      </button>
    </DialogForm>
  );
}

function ownStatus(): { text: string; emoji: Emoji | undefined } {
  const { status_text, emoji_name, emoji_code, reaction_type } =
    statuses.peek().get(me.peek()) ?? {};
  const emoji =
    emoji_name !== undefined && emoji_code !== undefined && reaction_type !== undefined
      ? { emoji_name, emoji_code, reaction_type }
      : undefined;
  return { text: status_text ?? "", emoji };
}

interface EmojiProps {
  chosen: Emoji | undefined;
  choose(emoji: Emoji | undefined): void;
}

/** Emoji that the person takes most, the one that they have, and a way to all others. */
function EmojiChoice({ chosen, choose }: EmojiProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const others = frequentEmoji().filter(({ emoji_name }) => emoji_name !== chosen?.emoji_name);
  return (
    <fieldset>
      <legend>{cardWords.emojiOfStatus}</legend>
      <div class="status-emoji">
        {[undefined, ...(chosen ? [chosen] : []), ...others].map((emoji) => (
          <label key={emoji?.emoji_name ?? ""} title={emoji?.emoji_name ?? cardWords.emojiNone}>
            <input
              type="radio"
              name="emoji"
              aria-label={emoji?.emoji_name ?? cardWords.emojiNone}
              checked={emoji?.emoji_name === chosen?.emoji_name}
              onChange={() => choose(emoji)}
            />
            {emoji ? <EmojiSign emoji={emoji} /> : cardWords.emojiNone}
          </label>
        ))}
        <button
          type="button"
          class="button"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          {cardWords.otherEmoji}
        </button>
      </div>
      {/* It is inside of the dialog, because all that is outside of it cannot be reached. */}
      {anchor && (
        <EmojiPicker picking={{ anchor, pick: choose }} close={() => setAnchor(undefined)} />
      )}
    </fieldset>
  );
}
