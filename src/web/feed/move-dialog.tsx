import { useEffect, useId, useState } from "preact/hooks";
import { isSubscribed } from "../model/channels";
import type { FlaggedMessage } from "../model/message";
import { mayMoveToChannel, mayMoveToTopic } from "../model/permissions";
import { patch, read } from "../net/api";
import { DialogForm, showDialog } from "../parts/dialog";
import { channelName, topicName } from "../store/names";
import { notify } from "../store/notices";
import { serverSeconds } from "../store/server-time";
import { channels, model } from "../store/state";
import { changeWords } from "../words/changes";
import { words } from "../words/words";

/** The messages that are moved, in the protocol's words. */
type Reach = "change_one" | "change_later" | "change_all";

/** Asks where to move a message or its topic. */
export const openMove = (message: FlaggedMessage, reach: Reach): void =>
  showDialog({
    title: reach === "change_all" ? words.actions.moveTopic : changeWords.moveTitle,
    body: () => <MoveForm message={message} reach={reach} />,
  });

/** The values of the form. */
interface Move {
  readonly channelId: number;
  readonly topic: string;
  readonly reach: Reach;
  /** Whether notices about the move are posted in the old and in the new topic. */
  readonly tellsOld: boolean;
  readonly tellsNew: boolean;
}

interface Fields {
  move: Move;
  set: (changes: Partial<Move>) => void;
}

function MoveForm({ message, reach }: { message: FlaggedMessage; reach: Reach }) {
  const { stream_id: from = 0, subject: topic } = message;
  const begun: Move = { channelId: from, topic, reach, tellsOld: false, tellsNew: true };
  const [move, setMove] = useState(begun);
  const set = (changes: Partial<Move>) => setMove({ ...move, ...changes });
  const seconds = serverSeconds();
  return (
    <DialogForm action={words.actions.move} send={() => send(message, move)}>
      {mayMoveToChannel(model.value, message, seconds) && (
        <ChannelField move={move} set={set} from={from} />
      )}
      <TopicField
        move={move}
        set={set}
        isFixed={move.channelId === from && !mayMoveToTopic(model.value, message, seconds)}
      />
      <ReachField move={move} set={set} />
      <Notices move={move} set={set} />
    </DialogForm>
  );
}

/** The subscribed channels, and the channel of the message. */
function ChannelField({ move, set, from }: Fields & { from: number }) {
  const choices = [...channels.value.values()]
    .filter(
      ({ stream_id: id, is_archived }) =>
        id === from || (!is_archived && isSubscribed(channels.value, id)),
    )
    .sort((one, other) => one.name.localeCompare(other.name));
  return (
    <label class="labelled">
      {words.actions.channel}
      <select
        class="field"
        dir="auto"
        value={move.channelId}
        onChange={({ currentTarget }) => set({ channelId: Number(currentTarget.value) })}
      >
        {choices.map(({ stream_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function TopicField({ move, set, isFixed }: Fields & { isFixed: boolean }) {
  const listId = useId();
  const topics = useTopics(move.channelId);
  return (
    <label class="labelled">
      {words.actions.topic}
      <input
        class="field"
        dir="auto"
        list={listId}
        // biome-ignore lint/a11y/noAutofocus: a dialog begins at what is most often changed in it.
        autoFocus
        autocomplete="off"
        maxLength={model.value.server.max_topic_length}
        placeholder={topicName("")}
        readOnly={isFixed}
        value={move.topic}
        onInput={({ currentTarget }) => set({ topic: currentTarget.value })}
      />
      <datalist id={listId}>
        {topics.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

/** The names of a channel's topics, the newest first; empty until the server has answered. */
function useTopics(channelId: number): readonly string[] {
  const [topics, setTopics] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    setTopics([]);
    read("/users/me/{stream_id}/topics", {
      stream_id: channelId,
      allow_empty_topic_name: true,
    }).then(
      (answer) => {
        if (isWanted)
          setTopics(answer.topics.map(({ name }) => name).filter((name) => name !== ""));
      },
      // The field accepts any name, also without suggestions.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [channelId]);
  return topics;
}

function ReachField({ move, set }: Fields) {
  const name = useId();
  const choices: readonly (readonly [Reach, string])[] = [
    ["change_one", changeWords.moveOne],
    ["change_later", changeWords.moveLater],
    ["change_all", changeWords.moveAll],
  ];
  return (
    <fieldset>
      <legend>{changeWords.moveWhich}</legend>
      {choices.map(([reach, text]) => (
        <label key={reach} class="choice">
          <input
            type="radio"
            name={name}
            checked={move.reach === reach}
            onChange={() => set({ reach })}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

const Notices = ({ move, set }: Fields) => (
  <fieldset>
    <legend>{changeWords.moveNotices}</legend>
    <label class="choice">
      <input
        type="checkbox"
        checked={move.tellsNew}
        onChange={({ currentTarget }) => set({ tellsNew: currentTarget.checked })}
      />
      {changeWords.tellNew}
    </label>
    <label class="choice">
      <input
        type="checkbox"
        checked={move.tellsOld}
        onChange={({ currentTarget }) => set({ tellsOld: currentTarget.checked })}
      />
      {changeWords.tellOld}
    </label>
  </fieldset>
);

/** Requests a move. Throws a `Refusal`. */
async function send(message: FlaggedMessage, move: Move): Promise<void> {
  const { stream_id: from, subject } = message;
  const topic = move.topic.trim();
  const isElsewhere = move.channelId !== from;
  if (!isElsewhere && topic === subject) return;
  await patch("/messages/{message_id}", {
    message_id: message.id,
    ...(topic === subject ? {} : { topic }),
    ...(isElsewhere ? { stream_id: move.channelId } : {}),
    propagate_mode: move.reach,
    send_notification_to_old_thread: move.tellsOld,
    send_notification_to_new_thread: move.tellsNew,
  });
  notify(changeWords.moved(channelName(move.channelId), topicName(topic)));
}
