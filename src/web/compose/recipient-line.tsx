import { useLayoutEffect, useRef } from "preact/hooks";
import { recipientOf, type Target } from "../model/recipient";
import { ChannelMark } from "../parts/channel-mark";
import { Icon, type IconName } from "../parts/icon";
import {
  boxTarget,
  chooseTarget,
  closeChoice,
  focusText,
  isChosen,
  isFixed,
  openRecipient,
  recipientAsked,
} from "../store/box";
import { channelName, directName, topicName } from "../store/names";
import { channels } from "../store/state";
import { composeWords } from "../words/compose";
import { PeopleField } from "./people-field";
import { topicsPolicy } from "./send";
import { TopicField } from "./topic-field";

/** The name of a recipient, for people who cannot see the line above the box. */
export function nameOf(target: Target): string {
  if (!recipientOf(target)) return "…";
  if (target.kind === "direct") return directName(target.userIds);
  return `${channelName(target.channelId ?? 0)}, ${topicName(target.topic)}`;
}

/**
 * The last request that has focused the field. A field that is drawn later does not take the focus
 * again.
 */
let focusTaken = 0;

type Field = HTMLInputElement | HTMLSelectElement;

/** The line above the text that shows the recipient. */
export function RecipientLine() {
  const line = useRef<HTMLDivElement>(null);
  const target = boxTarget.value;
  const asked = recipientAsked.value;
  useLayoutEffect(() => {
    const fields = line.current?.querySelectorAll<Field>("select, input") ?? [];
    const empty = [...fields].find(({ value }) => value === "");
    if (asked > focusTaken) (empty ?? fields[0])?.focus();
    focusTaken = asked;
  }, [asked]);
  return (
    <div ref={line} class="to">
      {isFixed.value ? <Fixed target={target} /> : <Choose target={target} />}
    </div>
  );
}

/** Returns to the view's recipient. The pressed button is removed. */
function leaveChoice(): void {
  closeChoice();
  focusText();
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
      <Small icon="down" label={composeWords.otherRecipient} run={() => openRecipient(target)} />
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
          run={() => openRecipient({ kind: "topic", channelId: undefined, topic: "" })}
        />
      ) : (
        <Small
          icon="people"
          label={composeWords.toPeople}
          run={() => openRecipient({ kind: "direct", userIds: [] })}
        />
      )}
      {isChosen.value && (
        <Small icon="close" label={composeWords.viewsRecipient} run={leaveChoice} />
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
      <span class="sep" aria-hidden="true">
        ›
      </span>
      {hasTopics && <TopicField target={target} />}
    </>
  );
}
