import { useState } from "preact/hooks";
import type { Channel } from "../model/channels";
import { channelNarrow, topicNarrow } from "../model/narrow-kind";
import { isMuted, unreadByChannel } from "../model/unread";
import { ChannelMark, colourOf } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { fragmentOf, topicName } from "../store/names";
import { place, shownKind } from "../store/place";
import {
  channelsInRail,
  isFiltered,
  type RailSection,
  type RailTopic,
  topicsInRail,
} from "../store/rail-lists";
import { channels, unread, userTopics } from "../store/state";
import { words } from "../words/words";
import { Line } from "./line";
import { foldOf, MoreLine, SectionHead } from "./rail-section";

/** Channels by folder, with the topics of the open channel. */
export function RailChannels() {
  const sections = channelsInRail();
  const counts = unreadByChannel(unread.value, {
    channels: channels.value,
    userTopics: userTopics.value,
  });
  return (
    <>
      {sections.map((section) => (
        <Section
          key={section.key}
          section={section}
          countOf={(channel) => counts.get(channel.stream_id)?.count ?? 0}
        />
      ))}
      {!isFiltered() && (
        <ul>
          <Line
            href="#channels/all"
            isCurrent={place.value.view === "channels"}
            mark={<Icon name="plus" />}
            name={words.views.browseChannels}
          />
        </ul>
      )}
      {sections.length === 0 && (
        <p class="empty">{isFiltered() ? words.views.noChannels : words.emptyChannels}</p>
      )}
    </>
  );
}

interface SectionProps {
  section: RailSection;
  countOf(channel: Channel): number;
}

/**
 * The number of channels of a section, and of topics of a channel, that are drawn at first and
 * added on demand.
 */
const shownAtOnce = 50;

function Section({ section, countOf }: SectionProps) {
  const [most, setMost] = useState(shownAtOnce);
  const fold = foldOf(section.key);
  const narrow = shownKind();
  const openId = narrow && "channelId" in narrow ? narrow.channelId : undefined;
  const hasNews = (channel: Channel) => countOf(channel) > 0 && !channel.is_muted;
  const withNews = section.channels.filter(hasNews);
  const newest = new Set(withNews.slice(0, most));
  const all = fold.isFolded ? withNews : section.channels;
  const shown = all.filter(
    (channel, index) => index < most || newest.has(channel) || channel.stream_id === openId,
  );
  const rest = all.length - shown.length;
  return (
    <>
      <SectionHead name={section.name} fold={fold} />
      <ul>
        {shown.map((channel) => (
          <ChannelLines key={channel.stream_id} channel={channel} count={countOf(channel)} />
        ))}
        <MoreLine rest={rest} step={shownAtOnce} show={() => setMost(most + shownAtOnce)} />
      </ul>
    </>
  );
}

/** A channel, and below it its unread topics and the open topic. */
function ChannelLines({ channel, count }: { channel: Channel; count: number }) {
  const { stream_id: channelId, name } = channel;
  const narrow = shownKind();
  const isOpen = narrow !== undefined && "channelId" in narrow && narrow.channelId === channelId;
  const topics = isOpen ? topicsInRail(channelId, narrow) : [];
  return (
    <>
      <Line
        href={fragmentOf(channelNarrow(channelId))}
        isCurrent={isOpen && narrow.kind === "channel"}
        mark={<ChannelMark channelId={channelId} />}
        name={name}
        count={count}
        isMuted={channel.is_muted === true}
      />
      {topics.length > 0 && (
        <li>
          <ul class="topics" style={colourOf(channel.color)}>
            <TopicLines channelId={channelId} topics={topics} />
          </ul>
        </li>
      )}
    </>
  );
}

/** The first topics of a channel, and the open one. More are drawn on demand. */
function TopicLines(props: { channelId: number; topics: readonly RailTopic[] }) {
  const { channelId, topics } = props;
  const [most, setMost] = useState(shownAtOnce);
  const muting = { channels: channels.value, userTopics: userTopics.value };
  const shown = topics.filter(({ isCurrent }, index) => index < most || isCurrent);
  return (
    <>
      {shown.map(({ topic, count, isCurrent }) => (
        <Line
          key={topic}
          href={fragmentOf(topicNarrow(channelId, topic))}
          isCurrent={isCurrent}
          name={topicName(topic)}
          count={count}
          isMuted={isMuted(muting, channelId, topic)}
        />
      ))}
      <MoreLine
        rest={topics.length - shown.length}
        step={shownAtOnce}
        show={() => setMost(most + shownAtOnce)}
      />
    </>
  );
}
