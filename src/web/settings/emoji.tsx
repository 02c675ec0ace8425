import { useMemo, useRef, useState } from "preact/hooks";
import { mayAddEmoji, mayRemoveEmoji, usableEmoji } from "../model/custom-emoji";
import { rankedBy } from "../model/ranking";
import type { RealmEmoji } from "../model/wire";
import { read, remove } from "../net/api";
import { refusedHere } from "../net/refusal";
import { DialogForm, showDialog } from "../parts/dialog";
import { userName } from "../store/names";
import { notify } from "../store/notices";
import { emoji, model } from "../store/state";
import { emojiWords } from "../words/emoji";
import { Part } from "./controls";
import { MoreList } from "./more-list";
import { openNewEmoji } from "./new-emoji";

const shownAtOnce = 20;

/** The organization's own emoji, with controls for people who may add or remove some. */
export function OrganizationEmoji() {
  const [text, setText] = useState("");
  const help = useRef<HTMLParagraphElement>(null);
  const all = useMemo(() => usableEmoji(emoji.value).toSorted(byName), [emoji.value]);
  const shown = emojiFitting(all, text);
  return (
    <Part name={emojiWords.title}>
      <p class="quiet" ref={help} tabIndex={-1}>
        {emojiWords.help}
      </p>
      <div class="choices">
        {all.length > 0 && (
          <input
            type="search"
            class="field"
            dir="auto"
            autocomplete="off"
            placeholder={emojiWords.search}
            aria-label={emojiWords.search}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {mayAddEmoji(model.value) && (
          <button type="button" class="button" aria-haspopup="dialog" onClick={openNewEmoji}>
            {emojiWords.addOne}
          </button>
        )}
      </div>
      <p class="quiet" role="status">
        {all.length === 0
          ? emojiWords.none
          : shown.length === 0
            ? emojiWords.noneFound
            : emojiWords.found(shown.length)}
      </p>
      <MoreList
        rows={shown}
        atOnce={shownAtOnce}
        draw={(one) => <EmojiRow key={one.id} emoji={one} leave={() => help.current?.focus()} />}
      />
    </Part>
  );
}

const byName = (one: RealmEmoji, other: RealmEmoji): number => one.name.localeCompare(other.name);

/** The emoji that a text finds by their names or authors; all of them without a text. */
function emojiFitting(all: readonly RealmEmoji[], text: string): readonly RealmEmoji[] {
  const wanted = text.replaceAll(":", "").trim();
  if (wanted === "") return all;
  const things = all.map((one) => ({
    one,
    name: one.name,
    otherWords: authorOf(one) ?? "",
    recency: 0,
  }));
  return rankedBy(things, wanted, things.length).map(({ one }) => one);
}

/** Name of the person who has added an emoji; undefined if the operator or an import has. */
const authorOf = ({ author_id: id }: RealmEmoji): string | undefined =>
  id === null ? undefined : userName(id);

interface RowProps {
  emoji: RealmEmoji;
  /** Focuses something above the list, because the row goes. */
  leave(): void;
}

function EmojiRow({ emoji: one, leave }: RowProps) {
  const author = authorOf(one);
  return (
    <li class="account">
      <EmojiPicture emoji={one} />
      <span class="name">
        <bdi>{`:${one.name}:`}</bdi>
        {author !== undefined && (
          <small class="facts" dir="auto">
            {emojiWords.by(author)}
          </small>
        )}
      </span>
      {mayRemoveEmoji(model.value, one) && (
        <button
          type="button"
          class="chip closing"
          aria-label={emojiWords.removeNamed(one.name)}
          aria-haspopup="dialog"
          onClick={() => openRemoval(one, leave)}
        >
          {emojiWords.remove}
        </button>
      )}
    </li>
  );
}

/** The picture of an emoji, which does not move where the reader wants no motion. */
const EmojiPicture = ({ emoji: { source_url: url, still_url: still } }: { emoji: RealmEmoji }) => (
  <picture>
    {still !== null && <source media="(prefers-reduced-motion: reduce)" srcset={still} />}
    <img class="emoji-sample" src={url} alt="" loading="lazy" />
  </picture>
);

/** Asks whether an emoji is to be removed; `leave` is called when its row goes. */
function openRemoval({ id, name }: RealmEmoji, leave: () => void): void {
  let isRemoved = false;
  const removed = () => {
    isRemoved = true;
  };
  showDialog({
    title: emojiWords.removeNamed(name),
    body: () => <RemovalForm id={id} name={name} removed={removed} />,
    onClose: () => {
      if (isRemoved || isGone(id)) leave();
    },
  });
}

const isGone = (id: string): boolean => emoji.value.get(id)?.deactivated !== false;

interface RemovalProps extends Pick<RealmEmoji, "id" | "name"> {
  removed(): void;
}

function RemovalForm({ id, name, removed }: RemovalProps) {
  const [isSending, setSending] = useState(false);
  // The event of one's own removal may come before its answer.
  if (!isSending && isGone(id)) return <p role="alert">{emojiWords.gone(name)}</p>;
  const send = async () => {
    setSending(true);
    try {
      await removeEmoji(id, name);
    } catch (error) {
      setSending(false);
      throw error;
    }
    removed();
    notify(emojiWords.removed(name));
  };
  return (
    <DialogForm action={emojiWords.remove} isDangerous send={send}>
      <p>{emojiWords.removeHelp}</p>
    </DialogForm>
  );
}

/**
 * Removes an emoji, unless another one has its name by now, which nobody has asked to remove. The
 * page may not have heard of that yet, for example after the machine slept.
 */
async function removeEmoji(id: string, name: string): Promise<void> {
  const { emoji: all } = await read("/realm/emoji");
  if (all[id]?.deactivated !== false) throw refusedHere(emojiWords.gone(name));
  await remove("/realm/emoji/{emoji_name}", { emoji_name: name });
}
