import { useState } from "preact/hooks";
import { lengthsMax } from "../../protocol/limits";
import { stillToCome, TimeField } from "../later/time-dialog";
import { fieldValueOf, secondsOf } from "../model/send-times";
import { type ChosenEnd, endNow, momentOfEnd, statusEnds } from "../model/status-ends";
import { post } from "../net/api";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { EmojiPicker } from "../parts/emoji-picker";
import { EmojiSign } from "../parts/emoji-sign";
import { type Emoji, frequentEmoji } from "../store/emoji-use";
import { serverNow } from "../store/server-time";
import { me, statuses } from "../store/state";
import { cardWords } from "../words/cards";
import { words } from "../words/words";

/** Asks for the person's status: a text, an emoji, and its end time. */
export const openStatus = (): void =>
  showDialog({ title: cardWords.status, body: () => <StatusForm /> });

interface Begun extends ChosenEnd {
  readonly text: string;
  readonly emoji: Emoji | undefined;
}

function StatusForm() {
  // The whole status is one value of the form, because a text without its end would be another one.
  const begun = useBegunForm("status", { status: ownStatus() });
  const { at, ...kept } = begun.form.status;
  // A stored form has the moment as a text.
  const status: Begun = { ...kept, at: at && new Date(at) };
  const set = (changes: Partial<Begun>) => begun.set({ status: { ...status, ...changes } });
  const send = async () => {
    const end = endOf(status);
    await post("/users/me/status", {
      status_text: status.text,
      emoji_name: status.emoji?.emoji_name ?? "",
      ...(status.emoji ?? {}),
      ...(end === undefined ? {} : { scheduled_end_time: end }),
    });
    begun.end();
  };
  return (
    <DialogForm action={words.actions.save} send={send}>
      <label class="labelled">
        {cardWords.statusText}
        <input
          type="text"
          class="field"
          dir="auto"
          maxLength={lengthsMax.status}
          value={status.text}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      </label>
      <EmojiChoice chosen={status.emoji} choose={(emoji) => set({ emoji })} />
      <EndChoice status={status} set={set} />
      <button
        type="button"
        class="button"
        onClick={() => set({ text: "", emoji: undefined, end: "never" })}
      >
        {cardWords.clear}
      </button>
    </DialogForm>
  );
}

/** The end time of the status, at which the server removes it; undefined if it stays. */
function endOf(status: Begun): number | undefined {
  const isEmpty = status.text.trim() === "" && !status.emoji;
  if (isEmpty || status.end === "never") return undefined;
  return secondsOf(stillToCome(momentOfEnd(status, serverNow())));
}

function ownStatus(): Begun {
  const { status_text, emoji_name, emoji_code, reaction_type, scheduled_end_time } =
    statuses.peek().get(me.peek()) ?? {};
  const emoji =
    emoji_name !== undefined && emoji_code !== undefined && reaction_type !== undefined
      ? { emoji_name, emoji_code, reaction_type }
      : undefined;
  const text = status_text ?? "";
  if (scheduled_end_time === undefined) return { text, emoji, end: "never", when: "" };
  const at = new Date(scheduled_end_time * 1_000);
  return { text, emoji, end: "own", at, when: fieldValueOf(at) };
}

interface EndProps {
  status: Begun;
  set(changes: Partial<Begun>): void;
}

/** Chooses when the status ends. */
function EndChoice({ status, set }: EndProps) {
  const end = endNow(status, serverNow());
  const choose = (value: string) => {
    const offered = statusEnds(serverNow()).find(({ name }) => name === value);
    if (offered) set({ end: offered.name, at: offered.at, when: fieldValueOf(offered.at) });
    else if (value !== "own") set({ end: "never" });
    else set({ end: "own", when: status.when || fieldValueOf(inAnHour()) });
  };
  return (
    <>
      <label class="labelled">
        {cardWords.endOfStatus}
        <select
          class="field"
          value={end}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="never">{cardWords.endNever}</option>
          {statusEnds(serverNow()).map(({ name }) => (
            <option key={name} value={name}>
              {cardWords.ends[name]}
            </option>
          ))}
          <option value="own">{cardWords.endOwn}</option>
        </select>
      </label>
      {end === "own" && <TimeField value={status.when} set={(when) => set({ end: "own", when })} />}
    </>
  );
}

const inAnHour = (): Date =>
  statusEnds(serverNow()).find(({ name }) => name === "hour")?.at ?? serverNow();

interface EmojiProps {
  chosen: Emoji | undefined;
  choose(emoji: Emoji | undefined): void;
}

/** The emoji that the person uses most, the chosen one, and a button for all others. */
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
