import type { ComponentChildren } from "preact";
import type { Channel } from "../model/channels";
import { directKey } from "../model/conversations";
import {
  channelNarrow,
  directNarrow,
  everything,
  kindOf,
  type NarrowKind,
  topicNarrow,
} from "../model/narrow-kind";
import { isMuted, unreadByChannel, unreadInDirect } from "../model/unread";
import { Avatar } from "../parts/avatar";
import { ChannelMark, colourOf } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { directName, fragmentOf, peopleOfKey, topicName } from "../store/names";
import { place } from "../store/place";
import { channelsInRail, type RailSection, topicsInRail } from "../store/rail-lists";
import {
  channels,
  conversations,
  me,
  organization,
  unread,
  users,
  userTopics,
} from "../store/state";
import { words } from "../words/words";

/** The list of conversations, with what is unread in each; `isWhole` where nothing stands beside it. */
export function Rail({ isWhole }: { isWhole: boolean }) {
  const [Pane, Name] = isWhole ? (["main", "h1"] as const) : (["div", "b"] as const);
  return (
    <Pane class="rail">
      <header>
        <div class="org">
          <span class="mark">
            <Icon name="chat" />
          </span>
          <Name class="name" dir="auto">
            {organization.value.name}
          </Name>
          <a class="tool" href="/account" title={words.account} aria-label={words.account}>
            <Icon name="gear" />
          </a>
        </div>
      </header>
      <nav aria-label={words.conversations}>
        <ul>
          <Line
            href={fragmentOf(everything)}
            isCurrent={shownKind()?.kind === "all"}
            mark={<Icon name="list" />}
            name={words.allMessages}
          />
        </ul>
        <DirectMessages />
        {channelsInRail().map((section) => (
          <Section key={section.key} section={section} />
        ))}
      </nav>
    </Pane>
  );
}

/** The kind of the messages that are shown; undefined where another view is. */
const shownKind = (): NarrowKind | undefined =>
  place.value.view === "messages" ? kindOf(place.value.narrow) : undefined;

interface LineProps {
  href: string;
  name: string;
  mark?: ComponentChildren;
  count?: number;
  /** Whether what is unread here is for the person. */
  isMine?: boolean;
  isMuted?: boolean;
  isCurrent: boolean;
}

function Line({
  href,
  name,
  mark,
  count = 0,
  isMine = false,
  isMuted = false,
  isCurrent,
}: LineProps) {
  const form = ["line", count > 0 && "unread", isMuted && "muted"].filter(Boolean).join(" ");
  return (
    <li>
      <a href={href} class={form} aria-current={isCurrent ? "page" : undefined}>
        {mark}
        <span class="name" dir="auto">
          {name}
        </span>
        {count > 0 && (
          <span class={isMine ? "badge mine" : "badge"}>
            <span aria-hidden="true">{count}</span>
            <span class="visually-hidden">{words.unread(count)}</span>
          </span>
        )}
        {isMuted && <Icon name="muted" />}
      </a>
    </li>
  );
}

const directMax = 12;

/** Direct conversations, the newest first. */
function DirectMessages() {
  const newest = [...conversations.value].sort(([, one], [, other]) => other - one);
  return (
    <>
      <h2>{words.directMessages}</h2>
      {newest.length === 0 && <p class="empty">{words.emptyDirect}</p>}
      <ul>
        {newest.slice(0, directMax).map(([key]) => (
          <DirectLine key={key} conversation={key} />
        ))}
      </ul>
    </>
  );
}

function DirectLine({ conversation }: { conversation: string }) {
  const userIds = peopleOfKey(conversation);
  const name = directName(userIds);
  const [first] = userIds;
  const user = first === undefined ? undefined : users.value.get(first);
  const shown = shownKind();
  const isCurrent = shown?.kind === "direct" && directKey(shown.userIds, me.value) === conversation;
  return (
    <Line
      href={fragmentOf(directNarrow(userIds))}
      isCurrent={isCurrent}
      mark={user && <Avatar user={user} isSmall />}
      name={name}
      count={unreadInDirect(unread.value, conversation)}
      isMine
    />
  );
}

function Section({ section }: { section: RailSection }) {
  const counts = unreadByChannel(unread.value, {
    channels: channels.value,
    userTopics: userTopics.value,
  });
  return (
    <>
      <h2>{section.name}</h2>
      {section.channels.length === 0 && <p class="empty">{words.emptyChannels}</p>}
      <ul>
        {section.channels.map((channel) => (
          <ChannelLines
            key={channel.stream_id}
            channel={channel}
            count={counts.get(channel.stream_id)?.count ?? 0}
          />
        ))}
      </ul>
    </>
  );
}

/** A channel; below it those of its topics with something unread, and the one that is open. */
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
            {topics.map(({ topic, count: unreadCount, isCurrent }) => (
              <Line
                key={topic}
                href={fragmentOf(topicNarrow(channelId, topic))}
                isCurrent={isCurrent}
                name={topicName(topic)}
                count={unreadCount}
                isMuted={isMuted(
                  { channels: channels.value, userTopics: userTopics.value },
                  channelId,
                  topic,
                )}
              />
            ))}
          </ul>
        </li>
      )}
    </>
  );
}
