import { useRef, useState } from "preact/hooks";
import { isFiltering, passesFilter } from "../model/conversation-filter";
import {
  countOf,
  firstLines,
  type InboxLine,
  type InboxSection,
  lineCountOf,
  sectionsWith,
} from "../model/inbox";
import { channelNarrow, directNarrow, topicNarrow } from "../model/narrow-kind";
import { ChannelMark } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { useRoving } from "../parts/roving-lines";
import { inbox, inboxCount } from "../store/inbox";
import { inboxFilter } from "../store/list-filters";
import { channelName, directName, fragmentOf, peopleOfKey, topicName } from "../store/names";
import { markDirectRead, markEverythingRead, markTopicRead } from "../store/reading";
import { words } from "../words/words";
import { FirstSteps } from "./first-steps";
import { Head } from "./head";
import { Badge } from "./line";
import { ListFilter, NothingLeft } from "./list-filter";
import { MoreChip } from "./more-chip";
import { Nothing } from "./nothing";
import { DirectFace } from "./rail-direct";

const kinds = ["all", "mentions", "followed", "direct"] as const;

/**
 * The number of conversations that are drawn before the person asks for more. After an absence
 * there are many.
 */
const drawnAtOnce = 200;

/** All unread conversations: direct ones, then channels with their topics. */
export function Inbox() {
  const list = useRef<HTMLElement>(null);
  useRoving(list);
  const { sections } = inbox.value;
  const conversations = lineCountOf(sections);
  const isEmpty = conversations === 0;
  const isFiltered = isFiltering(inboxFilter.value);
  const shown = sectionsWith(sections, isShown);
  const muted = sectionsWith(inbox.value.muted, isShown);
  return (
    <>
      <Head about={isEmpty ? undefined : words.views.inboxSummary(inboxCount.value, conversations)}>
        {!isEmpty && !isFiltered && (
          <button type="button" class="chip" onClick={() => void markEverythingRead()}>
            <Icon name="check" />
            <span>{words.views.markAllRead}</span>
          </button>
        )}
      </Head>
      <section ref={list} class="pane" aria-label={words.views.inbox}>
        <FirstSteps />
        {(!isEmpty || isFiltered) && (
          <ListFilter filter={inboxFilter} kinds={kinds} channelIds={channelsOf(sections)} />
        )}
        <Sections sections={shown} />
        {isFiltered && shown.length === 0 && <NothingLeft filter={inboxFilter} />}
        {isEmpty && !isFiltered && (
          <Nothing
            title={words.views.inboxEmpty}
            help={words.views.inboxEmptyHelp}
            link={{ href: "#recent", name: words.views.recent }}
          />
        )}
        {muted.length > 0 && <Muted sections={muted} />}
      </section>
    </>
  );
}

const channelsOf = (sections: readonly InboxSection[]): ReadonlySet<number> =>
  new Set(sections.flatMap(({ channel }) => channel?.stream_id ?? []));

/** Whether a conversation passes the filter. */
function isShown({ key, topic, hasMention, isFollowed }: InboxLine, { channel }: InboxSection) {
  const isDirect = channel === undefined || topic === undefined;
  const name = isDirect ? directName(peopleOfKey(key)) : `${topicName(topic)} ${channel.name}`;
  const channelId = channel?.stream_id;
  return passesFilter(inboxFilter.value, {
    channelId,
    name,
    isUnread: true,
    isFollowed,
    hasMention,
  });
}

/** Unread messages that the person has muted, shown on demand. */
function Muted({ sections }: { sections: readonly InboxSection[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h2>
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.views.mutedMessages(countOf(sections))}
          <Icon name="down" />
        </button>
      </h2>
      {isOpen && <Sections sections={sections} />}
    </>
  );
}

/** The first conversations of sections. More are drawn on demand. */
function Sections({ sections }: { sections: readonly InboxSection[] }) {
  const [most, setMost] = useState(drawnAtOnce);
  return (
    <>
      {firstLines(sections, most).map((section) => (
        <Section key={section.channel?.stream_id ?? 0} section={section} />
      ))}
      <MoreChip
        rest={lineCountOf(sections) - most}
        step={drawnAtOnce}
        show={() => setMost(most + drawnAtOnce)}
      />
    </>
  );
}

function Section({ section }: { section: InboxSection }) {
  const { channel, lines } = section;
  return (
    <>
      <h2>
        {channel ? (
          <>
            <ChannelMark channelId={channel.stream_id} />
            <a dir="auto" href={fragmentOf(channelNarrow(channel.stream_id))}>
              {channel.name}
            </a>
          </>
        ) : (
          words.directMessages
        )}
        <Badge count={countOf([section])} isMine={channel === undefined} />
      </h2>
      <ul class={channel ? "inner" : ""}>
        {lines.map((line) => (
          <Entry key={line.key} line={line} channelId={channel?.stream_id} />
        ))}
      </ul>
    </>
  );
}

interface EntryProps {
  line: InboxLine;
  channelId: number | undefined;
}

/** A conversation with unread messages, and a button that marks it as read. */
function Entry({ line, channelId }: EntryProps) {
  const { key, topic, ids } = line;
  const isDirect = channelId === undefined || topic === undefined;
  const userIds = isDirect ? peopleOfKey(key) : [];
  const name = isDirect ? directName(userIds) : topicName(topic);
  const narrow = isDirect ? directNarrow(userIds) : topicNarrow(channelId, topic);
  const where = isDirect ? name : `${name} – ${channelName(channelId)}`;
  const markRead = () => void (isDirect ? markDirectRead(key) : markTopicRead(channelId, topic));
  return (
    <li class="entry">
      <a class="line unread" href={fragmentOf(narrow)}>
        {isDirect && <DirectFace userIds={userIds} />}
        <span class="name">
          <bdi>{name}</bdi>
        </span>
        {line.isFollowed && <Icon name="bell" />}
        {line.hasMention && (
          <span class="for-you">
            <span aria-hidden="true">@</span>
            <span class="visually-hidden">{words.views.forYou}</span>
          </span>
        )}
        <Badge count={ids.length} isMine={isDirect} />
      </a>
      <button
        type="button"
        class="tool"
        title={words.views.markRead}
        aria-label={`${words.views.markRead}: ${where}`}
        onClick={markRead}
      >
        <Icon name="check" />
      </button>
    </li>
  );
}
