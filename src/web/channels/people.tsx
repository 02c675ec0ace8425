import { useEffect, useRef, useState } from "preact/hooks";
import type { Channel } from "../model/channels";
import { mayAddSubscribers, mayRemoveSubscribers } from "../model/permissions";
import { rankedBy } from "../model/ranking";
import type { User } from "../model/wire";
import { OfferedPeople, peopleNamed } from "../parts/offered-people";
import { MoreList } from "../settings/more-list";
import { SavingNote } from "../settings/saving-note";
import { membersDropped, membersOf, openMembers } from "../store/members";
import { userName } from "../store/names";
import { attempt, notify } from "../store/notices";
import { addToChannel, controlOf, removeFromChannel } from "../store/own-channels";
import { save } from "../store/saving";
import { me, model, users } from "../store/state";
import { channelWords } from "../words/channels";
import { language, words } from "../words/words";

/** People in a channel: to find some, and to add and remove them where the person may. */
export function ChannelPeople({ channel }: { channel: Channel }) {
  const { stream_id: id } = channel;
  const [text, setText] = useState("");
  const dropped = membersDropped.value;
  useEffect(() => void openMembers(id), [id, dropped]);
  const members = membersOf(id);
  if (!members) return null;
  return (
    <section aria-labelledby="channel-people">
      <h3 id="channel-people">{channelWords.people}</h3>
      <Finder channel={channel} members={members} text={text} setText={setText} />
      <MoreList
        rows={peopleShown(members, text)}
        atOnce={shownAtOnce}
        draw={(user) => <Member key={user.user_id} channel={channel} user={user} />}
      />
    </section>
  );
}

interface FinderProps {
  channel: Channel;
  members: ReadonlySet<number>;
  text: string;
  setText(text: string): void;
}

/** A field that finds people in the channel, and others to add. */
function Finder({ channel, members, text, setText }: FinderProps) {
  const { stream_id: id } = channel;
  const [newest, setNewest] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const mayAdd = !channel.is_archived && mayAddSubscribers(model.value, channel);
  const isAsked = text.trim() !== "";
  const offered =
    mayAdd && isAsked
      ? peopleNamed(text, { isChosen: (one) => members.has(one), withBots: true })
      : [];
  // One for each person, because of changes of one control those in between are left out.
  const controlFor = (userId: number) => controlOf(id, `person ${userId}`);
  const add = (userId: number) => {
    setText("");
    setNewest(userId);
    // The button that was pressed goes.
    field.current?.focus();
    void save(controlFor(userId), () => addToChannel(channel, userId));
  };
  return (
    <div class="setting">
      <label for="channel-people-field">
        {mayAdd ? channelWords.findOrAdd : channelWords.findPeople}
      </label>
      <SavingNote control={controlFor(newest)} />
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
      {isAsked && offered.length === 0 && peopleShown(members, text).length === 0 && (
        <p class="quiet" role="status">
          {channelWords.nobodyNamed}
        </p>
      )}
    </div>
  );
}

/** So few that one's own settings of the channel, below, stay in reach. */
const shownAtOnce = 12;
const names = new Intl.Collator(language);

/** Members of a channel that a text finds; all of them by their names where it is empty. */
function peopleShown(members: ReadonlySet<number>, text: string): readonly User[] {
  const all = [...members].flatMap((id) => users.value.get(id) ?? []);
  if (text.trim() === "")
    return all.toSorted((one, other) => names.compare(one.full_name, other.full_name));
  const things = all.map((user) => ({ user, name: user.full_name, recency: 0 }));
  return rankedBy(things, text, all.length).map(({ user }) => user);
}

function Member({ channel, user }: { channel: Channel; user: User }) {
  const { user_id: id, full_name: name } = user;
  const isOwn = id === me.value;
  return (
    <li>
      <span class="name">
        <bdi>{name}</bdi> {isOwn && <small>{words.you}</small>}
      </span>
      {!isOwn && mayRemoveSubscribers(model.value, channel) && (
        <button
          type="button"
          class="chip"
          aria-label={channelWords.removeNamed(name)}
          onClick={() => void removeWithUndo(channel, id)}
        >
          {channelWords.remove}
        </button>
      )}
    </li>
  );
}

async function removeWithUndo(channel: Channel, userId: number): Promise<void> {
  if (!(await attempt(() => removeFromChannel(channel, userId)))) return;
  notify(
    channelWords.removed(userName(userId), channel.name),
    mayAddSubscribers(model.value, channel)
      ? () => void attempt(() => addToChannel(channel, userId))
      : undefined,
  );
}
