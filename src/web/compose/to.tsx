import type { Target } from "../model/recipient";
import { ChannelMark } from "../parts/channel-mark";
import { channelName, directName, topicName } from "../store/names";
import { channels } from "../store/state";
import { words } from "../words/words";
import { boxTarget, chooseTarget, isFixed } from "./box";

/** Name of a recipient, for those who cannot see the line above the box. */
export function nameOf(target: Target): string {
  if (target.kind === "direct") return directName(target.userIds);
  if (target.channelId === undefined) return "…";
  return `${channelName(target.channelId)}, ${topicName(target.topic)}`;
}

/** The line above the text: where the message goes. */
export function To() {
  const target = boxTarget.value;
  if (target.kind === "direct")
    return (
      <div class="to">
        <b dir="auto">{directName(target.userIds)}</b>
      </div>
    );
  if (!isFixed.value) return <ChooseTopic target={target} />;
  return (
    <div class="to">
      {target.channelId !== undefined && <ChannelMark channelId={target.channelId} />}
      <b dir="auto">{channelName(target.channelId ?? 0)}</b>
      <span aria-hidden="true">›</span>
      <b dir="auto">{topicName(target.topic)}</b>
    </div>
  );
}

type TopicTarget = Extract<Target, { kind: "topic" }>;

function ChooseTopic({ target }: { target: TopicTarget }) {
  const { channelId, topic } = target;
  const own = [...channels.value.values()]
    .filter(({ standing, is_archived }) => standing === "subscribed" && !is_archived)
    .sort((one, other) => one.name.localeCompare(other.name));
  return (
    <div class="to">
      {channelId !== undefined && <ChannelMark channelId={channelId} />}
      <select
        aria-label={words.compose.channel}
        value={channelId ?? ""}
        onChange={({ currentTarget }) =>
          chooseTarget({ ...target, channelId: Number(currentTarget.value) || undefined })
        }
      >
        <option value="">{words.compose.chooseChannel}</option>
        {own.map(({ stream_id, name }) => (
          <option key={stream_id} value={stream_id}>
            {name}
          </option>
        ))}
      </select>
      <span aria-hidden="true">›</span>
      <input
        dir="auto"
        value={topic}
        placeholder={words.compose.topic}
        aria-label={words.compose.topic}
        onInput={({ currentTarget }) => chooseTarget({ ...target, topic: currentTarget.value })}
      />
    </div>
  );
}
