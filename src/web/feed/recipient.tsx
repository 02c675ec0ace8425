import { useLayoutEffect, useRef } from "preact/hooks";
import { conversationKey } from "../model/conversations";
import { channelNarrow, directNarrow, placeNarrow, topicNarrow } from "../model/narrow-kind";
import type { Message } from "../model/wire";
import { ChannelMark } from "../parts/channel-mark";
import { channelName, directName, fragmentOf, peopleOfKey, topicName } from "../store/names";
import { me } from "../store/state";
import { words } from "../words/words";
import { showMarked } from "./content";

interface RecipientProps {
  message: Message;
  /** The topic as HTML, with the words of a search marked. */
  markedTopic: string | undefined;
  /** Whether a link leads to the message in its conversation. */
  isFound: boolean;
}

/** The line above the messages of a conversation, with a link to it. */
export function Recipient({ message, markedTopic, isFound }: RecipientProps) {
  const { stream_id: channelId, subject: topic } = message;
  return (
    <h3 class="recipient">
      {channelId === undefined ? (
        <People message={message} />
      ) : (
        <>
          <span class="origin">
            <a href={fragmentOf(channelNarrow(channelId))} class="channel">
              <ChannelMark channelId={channelId} />
              <span dir="auto">{channelName(channelId)}</span>
            </a>
            <span class="quiet sep" aria-hidden="true">
              ›
            </span>
          </span>
          <a dir="auto" href={fragmentOf(topicNarrow(channelId, topic))}>
            <Topic topic={topic} marked={markedTopic} />
          </a>
        </>
      )}
      {isFound && (
        <a class="quiet place" href={fragmentOf(placeNarrow(message, me.value))}>
          {words.showInConversation}
        </a>
      )}
    </h3>
  );
}

function People({ message }: { message: Message }) {
  const userIds = peopleOfKey(conversationKey(message, me.value));
  return (
    <a dir="auto" href={fragmentOf(directNarrow(userIds))}>
      {directName(userIds)}
    </a>
  );
}

/** The name of a topic. If the words of a search occur in it, they are marked. */
function Topic({ topic, marked }: { topic: string; marked: string | undefined }) {
  const element = useRef<HTMLSpanElement>(null);
  const html = marked?.includes('class="highlight"') ? marked : undefined;
  useLayoutEffect(() => {
    if (element.current && html !== undefined) showMarked(element.current, html);
  }, [html]);
  return html === undefined ? <>{topicName(topic)}</> : <span key={html} ref={element} />;
}
