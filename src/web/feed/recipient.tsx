import { conversationKey } from "../model/conversations";
import type { Message } from "../model/wire";
import { ChannelMark } from "../parts/channel-mark";
import { channelName, directName, peopleOfKey, topicName } from "../store/names";
import { fragmentOf } from "../store/narrow";
import { me } from "../store/state";

/** The line above the messages of a conversation, which leads into it. */
export function Recipient({ message }: { message: Message }) {
  const { stream_id: channelId, subject: topic } = message;
  if (channelId === undefined) {
    const userIds = peopleOfKey(conversationKey(message, me.value));
    const name = directName(userIds);
    return (
      <h3 class="recipient">
        <a dir="auto" href={fragmentOf({ kind: "direct", userIds }, name)}>
          {name}
        </a>
      </h3>
    );
  }
  const name = channelName(channelId);
  return (
    <h3 class="recipient">
      <a href={fragmentOf({ kind: "channel", channelId }, name)} class="channel">
        <ChannelMark channelId={channelId} />
        <span dir="auto">{name}</span>
      </a>
      <span class="quiet" aria-hidden="true">
        ›
      </span>
      <a dir="auto" href={fragmentOf({ kind: "topic", channelId, topic }, name)}>
        {topicName(topic)}
      </a>
    </h3>
  );
}
