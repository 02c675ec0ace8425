import { useEffect, useRef, useState } from "preact/hooks";
import { channelNarrow, kindOf, topicNarrow } from "../model/narrow-kind";
import type { Topic } from "../model/topics";
import { isMuted, unreadInTopic } from "../model/unread";
import { Icon } from "../parts/icon";
import { useRoving } from "../parts/roving-lines";
import { TryAgain } from "../parts/try-again";
import { fragmentOf, topicName } from "../store/names";
import { place } from "../store/place";
import { channels, isConnected, unread, userTopics } from "../store/state";
import { openTopics, topicsOf, topicsRefusal } from "../store/topics";
import { words } from "../words/words";
import { Head } from "./head";
import { Badge } from "./line";
import { MoreChip } from "./more-chip";
import { Nothing } from "./nothing";

/** The number of topics that are drawn before the person asks for more. */
const drawnAtOnce = 200;

/** The topics of a channel; the one with the newest message comes first. */
export function Topics() {
  const list = useRef<HTMLElement>(null);
  useRoving(list);
  const kind = kindOf(place.value.narrow);
  const channelId = kind.kind === "channel" ? kind.channelId : 0;
  const topics = topicsOf(channelId);
  const refusal = topicsRefusal(channelId);
  const isReached = isConnected.value;
  // The list is dropped after an event that does not tell which message is the newest now.
  useEffect(() => {
    if (topics === undefined && (isReached || refusal === undefined)) void openTopics(channelId);
  }, [channelId, topics, isReached]);
  return (
    <>
      <Head>
        <a class="chip" href={fragmentOf(channelNarrow(channelId))}>
          {words.messages}
        </a>
      </Head>
      <section ref={list} class="pane" aria-label={words.views.topics}>
        {refusal !== undefined && (
          <p class="empty" role="alert">
            {words.notLoaded(refusal)} <TryAgain again={() => void openTopics(channelId)} />
          </p>
        )}
        {topics?.length === 0 && (
          <Nothing title={words.views.topicEmpty} help={words.views.topicsEmptyHelp} />
        )}
        {topics && <Entries key={channelId} channelId={channelId} topics={topics} />}
      </section>
    </>
  );
}

/** The first topics of a channel. More are drawn on demand. */
function Entries({ channelId, topics }: { channelId: number; topics: readonly Topic[] }) {
  const [most, setMost] = useState(drawnAtOnce);
  return (
    <>
      <ul>
        {topics.slice(0, most).map(({ name }) => (
          <Entry key={name} channelId={channelId} topic={name} />
        ))}
      </ul>
      <MoreChip
        rest={topics.length - most}
        step={drawnAtOnce}
        show={() => setMost(most + drawnAtOnce)}
      />
    </>
  );
}

function Entry({ channelId, topic }: { channelId: number; topic: string }) {
  const count = unreadInTopic(unread.value, channelId, topic);
  const isQuiet = isMuted(
    { channels: channels.value, userTopics: userTopics.value },
    channelId,
    topic,
  );
  return (
    <li class="entry">
      <a
        class={count > 0 && !isQuiet ? "line unread" : "line"}
        href={fragmentOf(topicNarrow(channelId, topic))}
      >
        <span class="name">
          <bdi>{topicName(topic)}</bdi>
        </span>
        {isQuiet ? <Icon name="muted" /> : count > 0 && <Badge count={count} />}
      </a>
    </li>
  );
}
