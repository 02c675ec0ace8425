import { recipientOf, type Target } from "../model/recipient";
import { ChannelMark } from "../parts/channel-mark";
import { Icon, type IconName } from "../parts/icon";
import { boxTarget, chooseTarget, closeChoice, isChosen, isFixed } from "../store/box";
import { channelName, directName, topicName } from "../store/names";
import { channels } from "../store/state";
import { composeWords } from "../words/compose";
import { PeopleField } from "./people-field";
import { topicsPolicy } from "./send";
import { TopicField } from "./topic-field";

/** Name of a recipient, for those who cannot see the line above the box. */
export function nameOf(target: Target): string {
  if (!recipientOf(target)) return "…";
  if (target.kind === "direct") return directName(target.userIds);
  return `${channelName(target.channelId ?? 0)}, ${topicName(target.topic)}`;
}

/** The line above the text: where the message goes. */
export function RecipientLine() {
  const target = boxTarget.value;
  return (
    <div class="to">{isFixed.value ? <Fixed target={target} /> : <Choose target={target} />}</div>
  );
}

function Fixed({ target }: { target: Target }) {
  return (
    <>
      {target.kind === "direct" ? (
        <b dir="auto">{directName(target.userIds)}</b>
      ) : (
        <>
          {target.channelId !== undefined && <ChannelMark channelId={target.channelId} />}
          <b dir="auto">{channelName(target.channelId ?? 0)}</b>
          <span aria-hidden="true">›</span>
          <b dir="auto">{topicName(target.topic)}</b>
        </>
      )}
      <Small icon="down" label={composeWords.otherRecipient} run={() => chooseTarget(target)} />
    </>
  );
}

function Choose({ target }: { target: Target }) {
  return (
    <>
      {target.kind === "direct" ? (
        <PeopleField userIds={target.userIds} />
      ) : (
        <ChannelAndTopic target={target} />
      )}
      {target.kind === "direct" ? (
        <Small
          icon="hash"
          label={composeWords.toChannel}
          run={() => chooseTarget({ kind: "topic", channelId: undefined, topic: "" })}
        />
      ) : (
        <Small
          icon="people"
          label={composeWords.toPeople}
          run={() => chooseTarget({ kind: "direct", userIds: [] })}
        />
      )}
      {isChosen.value && (
        <Small icon="close" label={composeWords.viewsRecipient} run={closeChoice} />
      )}
    </>
  );
}

const Small = ({ icon, label, run }: { icon: IconName; label: string; run: () => void }) => (
  <button type="button" class="tool" title={label} aria-label={label} onClick={run}>
    <Icon name={icon} />
  </button>
);

type TopicTarget = Extract<Target, { kind: "topic" }>;

function ChannelAndTopic({ target }: { target: TopicTarget }) {
  const { channelId } = target;
  const own = [...channels.value.values()]
    .filter(({ standing, is_archived }) => standing === "subscribed" && !is_archived)
    .sort((one, other) => one.name.localeCompare(other.name));
  const isOther = channelId !== undefined && !own.some(({ stream_id: id }) => id === channelId);
  const hasTopics = channelId === undefined || topicsPolicy(channelId) !== "empty_topic_only";
  return (
    <>
      {channelId !== undefined && <ChannelMark channelId={channelId} />}
      <select
        aria-label={composeWords.channel}
        value={channelId ?? ""}
        onChange={({ currentTarget }) =>
          chooseTarget({ ...target, channelId: Number(currentTarget.value) || undefined })
        }
      >
        <option value="">{composeWords.chooseChannel}</option>
        {isOther && <option value={channelId}>{channelName(channelId)}</option>}
        {own.map(({ stream_id, name }) => (
          <option key={stream_id} value={stream_id}>
            {name}
          </option>
        ))}
      </select>
      <span aria-hidden="true">›</span>
      {hasTopics && <TopicField target={target} />}
    </>
  );
}
