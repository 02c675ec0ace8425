import { conversationKey } from "../model/conversations";
import { channelNarrow, directNarrow, topicNarrow } from "../model/narrow-kind";
import type { Message } from "../model/wire";
import { ChannelMark } from "../parts/channel-mark";
import { channelName, directName, fragmentOf, peopleOfKey, topicName } from "../store/names";
import { me } from "../store/state";

/** The line above the messages of a conversation, which leads into it. */
export function Recipient({ message }: { message: Message }) {
  const { stream_id: channelId, subject: topic } = message;
  if (channelId === undefined) {
    const userIds = peopleOfKey(conversationKey(message, me.value));
    const name = directName(userIds);
    return (
      <h3 class="recipient">
        <a dir="auto" href={fragmentOf(directNarrow(userIds))}>
          {name}
        </a>
      </h3>
    );
  }
  const name = channelName(channelId);
  return (
    <h3 class="recipient">
      <a href={fragmentOf(channelNarrow(channelId))} class="channel">
        <ChannelMark channelId={channelId} />
        <span dir="auto">{name}</span>
      </a>
      <span class="quiet" aria-hidden="true">
        ›
      </span>
      <a dir="auto" href={fragmentOf(topicNarrow(channelId, topic))}>
        {topicName(topic)}
      </a>
    </h3>
  );
}
