import type { Target } from "../model/recipient";
import { channelName, directName, topicName } from "../store/names";
import { composeWords } from "../words/compose";
import { ChannelMark } from "./channel-mark";

/** The name of the conversation for which a text is written, which may be incomplete. */
export function TargetName({ target }: { target: Target }) {
  if (target.kind === "direct")
    return (
      <b dir="auto">
        {target.userIds.length === 0 ? composeWords.drafts.toNobody : directName(target.userIds)}
      </b>
    );
  if (target.channelId === undefined) return <b>{composeWords.drafts.toNobody}</b>;
  return (
    <>
      <ChannelMark channelId={target.channelId} />
      <b dir="auto">{channelName(target.channelId)}</b>
      <span aria-hidden="true">›</span>
      <b dir="auto">{topicName(target.topic)}</b>
    </>
  );
}
