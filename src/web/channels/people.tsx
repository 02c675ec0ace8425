import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Channel } from "../model/channels";
import { mayAddSubscribers, mayRemoveSubscribers } from "../model/permissions";
import type { User } from "../model/wire";
import { DialogForm, showDialog } from "../parts/dialog";
import { OfferedPeople, peopleFitting, peopleNamed } from "../parts/offered-people";
import { MoreList } from "../settings/more-list";
import { SavingNotes, useChanged } from "../settings/saving-note";
import { membersDropped, membersOf, openMembers } from "../store/members";
import { userName } from "../store/names";
import { attempt, notify } from "../store/notices";
import { addToChannel, controlOf, removeFromChannel } from "../store/own-channels";
import { save } from "../store/saving";
import { channels, me, model, users } from "../store/state";
import { channelWords } from "../words/channels";
import { words } from "../words/words";

/** People in a channel: to find some, and to add and remove them where the person may. */
export function ChannelPeople({ channel }: { channel: Channel }) {
  const { stream_id: id } = channel;
  const [text, setText] = useState("");
  const dropped = membersDropped.value;
  useEffect(() => void openMembers(id), [id, dropped]);
  const asked = membersOf(id);
  // While the list is asked for anew, the one before stays, and with it the focus of its field.
  const latest = useRef(asked);
  if (asked) latest.current = asked;
  const members = latest.current;
  const everybody = users.value;
  const shown = useMemo(
    () => (members ? peopleShown(members, everybody, text) : []),
    [members, everybody, text],
  );
  if (!members) return null;
  return (
    <section aria-labelledby="channel-people">
      <h3 id="channel-people">{channelWords.people}</h3>
      <Finder channelId={id} members={members} shown={shown} text={text} setText={setText} />
      <MoreList
        rows={shown}
        atOnce={shownAtOnce}
        draw={(user) => <Member key={user.user_id} channel={channel} user={user} />}
      />
    </section>
  );
}

interface FinderProps {
  channelId: number;
  members: ReadonlySet<number>;
  /** Members that the text finds. */
  shown: readonly User[];
  text: string;
  setText(text: string): void;
}

/** A field that finds people in the channel, and others to add. */
function Finder({ channelId: id, members, shown, text, setText }: FinderProps) {
  const [added, noteAdded] = useChanged<number>();
  const field = useRef<HTMLInputElement>(null);
  const mayAdd = useComputed(() => mayAddTo(id)).value;
  const isAsked = text.trim() !== "";
  const everybody = users.value;
  const offered = useMemo(
    () =>
      mayAdd && isAsked
        ? peopleNamed(text, { isChosen: (one) => members.has(one), withBots: true })
        : [],
    [mayAdd, isAsked, text, members, everybody],
  );
  // One for each person, because of changes of one control those in between are left out.
  const controlFor = (userId: number) => controlOf(id, `person ${userId}`);
  const add = (userId: number) => {
    setText("");
    noteAdded(userId);
    // The button that was pressed goes.
    field.current?.focus();
    void save(controlFor(userId), async () => {
      const channel = channels.peek().get(id);
      if (channel) await addToChannel(channel, userId);
    });
  };
  return (
    <div class="setting">
      <label for="channel-people-field">
        {mayAdd ? channelWords.findOrAdd : channelWords.findPeople}
      </label>
      <SavingNotes
        changes={added.map((one) => ({ name: userName(one), control: controlFor(one) }))}
      />
      <input
        id="channel-people-field"
        ref={field}
        type="text"
        class="field"
        dir="auto"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {offered.length > 0 && (
        <OfferedPeople people={offered} wordsOf={channelWords.addNamed} choose={add} />
      )}
      {isAsked && offered.length === 0 && shown.length === 0 && (
        <p class="quiet" role="status">
          {channelWords.nobodyNamed}
        </p>
      )}
    </div>
  );
}

/** Whether the person may add people to a channel, as far as that depends on the channel. */
function mayAddTo(channelId: number): boolean {
  const channel = channels.value.get(channelId);
  return channel !== undefined && !channel.is_archived && mayAddSubscribers(model.value, channel);
}

/** So few that one's own settings of the channel, below, stay in reach. */
const shownAtOnce = 12;

/** Members of a channel that a text finds; all of them by their names where it is empty. */
function peopleShown(
  members: ReadonlySet<number>,
  everybody: ReadonlyMap<number, User>,
  text: string,
): readonly User[] {
  const all = [...members].flatMap((id) => everybody.get(id) ?? []);
  return peopleFitting(all, text);
}

function Member({ channel, user }: { channel: Channel; user: User }) {
  const { user_id: id, full_name: name } = user;
  const isOwn = id === me.value;
  const isBusy = useRef(false);
  const mayRemove =
    !isOwn &&
    !channel.is_archived &&
    (user.bot_owner_id === me.value || mayRemoveSubscribers(model.value, channel));
  const press = async ({ detail }: MouseEvent) => {
    // The second click of two would meet the next person, who has moved up by then.
    if (detail > 1 || isBusy.current) return;
    isBusy.current = true;
    await removeFrom(channel, user);
    isBusy.current = false;
  };
  return (
    <li>
      <span class="name">
        <bdi>{name}</bdi> {isOwn && <small>{words.you}</small>}
      </span>
      {mayRemove && (
        <button
          type="button"
          class="chip"
          aria-label={channelWords.removeNamed(name)}
          onClick={(event) => void press(event)}
        >
          {channelWords.remove}
        </button>
      )}
    </li>
  );
}

/** Removes somebody, which can be undone; who may not add them again is asked first. */
async function removeFrom(channel: Channel, { user_id: id, full_name: name }: User): Promise<void> {
  const tell = (undo?: () => void) => notify(channelWords.removed(name, channel.name), undo);
  if (mayAddSubscribers(model.peek(), channel)) {
    if (await attempt(() => removeFromChannel(channel, id)))
      tell(() => void attempt(() => addToChannel(channel, id)));
    return;
  }
  const send = async () => {
    await removeFromChannel(channel, id);
    tell();
  };
  showDialog({
    title: channelWords.removeNamed(name),
    body: () => (
      <DialogForm action={channelWords.remove} isDangerous send={send}>
        <p>{channelWords.removeForGood}</p>
      </DialogForm>
    ),
  });
}
