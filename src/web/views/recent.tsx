import { useEffect, useRef, useState } from "preact/hooks";
import { topicPolicies } from "../../protocol/topics";
import { passesFilter } from "../model/conversation-filter";
import { directNarrow, topicNarrow } from "../model/narrow-kind";
import type { RecentConversation } from "../model/recent";
import { isMuted, unreadInDirect, unreadInTopic } from "../model/unread";
import { policyOf } from "../model/user-topics";
import { Avatar } from "../parts/avatar";
import { ChannelMark } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { useRoving } from "../parts/roving-lines";
import { areMutedShown, recentFilter } from "../store/list-filters";
import { dateForm, moments } from "../store/moments";
import { channelName, directName, fragmentOf, peopleOfKey, topicName } from "../store/names";
import { loadRecent, openRecent, recent, recentState } from "../store/recent";
import { channels, mutedUsers, unread, users, userTopics } from "../store/state";
import { today } from "../store/today";
import { words } from "../words/words";
import { Head } from "./head";
import { Badge } from "./line";
import { Choice, ListFilter, NothingLeft } from "./list-filter";
import { MoreChip } from "./more-chip";
import { Nothing } from "./nothing";
import { DirectFace } from "./rail-direct";

/**
 * The number of conversations that are drawn before the person asks for more. In a page that stays
 * open there are many.
 */
const drawnAtOnce = 200;

/** Conversations by their newest message, with their latest senders. */
export function Recent() {
  const list = useRef<HTMLElement>(null);
  useRoving(list);
  useEffect(openRecent, []);
  const [most, setMost] = useState(drawnAtOnce);
  const showMore = () => setMost(most + drawnAtOnce);
  const loadOlder = () => {
    showMore();
    void loadRecent();
  };
  const state = recentState.value;
  const shown = recent.value.filter(isShown);
  const isEmpty = recent.value.length === 0;
  return (
    <>
      <Head />
      <section ref={list} class="pane" aria-label={words.views.recent}>
        <Choices />
        <ul>
          {shown.slice(0, most).map((conversation) => (
            <Entry key={conversation.key} conversation={conversation} />
          ))}
        </ul>
        <MoreChip rest={shown.length - most} step={drawnAtOnce} show={showMore} />
        {typeof state === "object" && (
          <p class="empty" role="alert">
            {words.notLoaded(state.refusal)}
          </p>
        )}
        {state === "whole" && isEmpty && (
          <Nothing title={words.views.recentEmpty} help={words.views.recentEmptyHelp} />
        )}
        {state === "loading" && isEmpty && <p class="empty">{words.loading}</p>}
        {!isEmpty && shown.length === 0 && <NothingLeft filter={recentFilter} />}
        {shown.length <= most && (state === "more" || typeof state === "object") && (
          <button type="button" class="chip" onClick={loadOlder}>
            {words.views.older}
          </button>
        )}
      </section>
    </>
  );
}

const kinds = ["all", "unread", "followed", "direct"] as const;

/** The filter of the list. */
const Choices = () => (
  <ListFilter
    filter={recentFilter}
    kinds={kinds}
    channelIds={new Set(recent.value.flatMap(({ channelId }) => channelId ?? []))}
  >
    <Choice
      name={words.views.withMuted}
      isOn={areMutedShown.value}
      choose={() => {
        areMutedShown.value = !areMutedShown.value;
      }}
    />
  </ListFilter>
);

const countOf = ({ key, channelId, topic }: RecentConversation): number =>
  channelId === undefined
    ? unreadInDirect(unread.value, key)
    : unreadInTopic(unread.value, channelId, topic);

const isFollowed = ({ channelId, topic }: RecentConversation): boolean =>
  channelId !== undefined &&
  policyOf(userTopics.value, channelId, topic) === topicPolicies.followed;

const nameOf = ({ key, channelId, topic }: RecentConversation): string =>
  channelId === undefined
    ? directName(peopleOfKey(key))
    : `${topicName(topic)} ${channelName(channelId)}`;

function isShown(conversation: RecentConversation): boolean {
  if (!areMutedShown.value && isOfMuted(conversation)) return false;
  const { channelId } = conversation;
  return passesFilter(recentFilter.value, {
    channelId,
    name: nameOf(conversation),
    isUnread: countOf(conversation) > 0,
    isFollowed: isFollowed(conversation),
    hasMention: false,
  });
}

function isOfMuted({ key, channelId, topic }: RecentConversation): boolean {
  if (channelId === undefined) return peopleOfKey(key).every((id) => mutedUsers.value.has(id));
  return isMuted({ channels: channels.value, userTopics: userTopics.value }, channelId, topic);
}

const facesMax = 4;

function Entry({ conversation }: { conversation: RecentConversation }) {
  const { key, channelId, topic, senders, timestamp } = conversation;
  const count = countOf(conversation);
  const userIds = channelId === undefined ? peopleOfKey(key) : [];
  const narrow = channelId === undefined ? directNarrow(userIds) : topicNarrow(channelId, topic);
  return (
    <li class="entry">
      <a class={count > 0 ? "line unread" : "line"} href={fragmentOf(narrow)}>
        {channelId === undefined ? (
          <DirectFace userIds={userIds} />
        ) : (
          <ChannelMark channelId={channelId} />
        )}
        <span class="name">
          {channelId !== undefined && (
            <small>
              <bdi>{channelName(channelId)}</bdi> ›{" "}
            </small>
          )}
          <bdi>{channelId === undefined ? directName(userIds) : topicName(topic)}</bdi>
        </span>
        {isFollowed(conversation) && <Icon name="bell" />}
        <span class="faces" aria-hidden="true">
          {senders
            .slice(0, facesMax)
            .map((id) => users.value.get(id))
            .map((user) => user && <Avatar key={user.user_id} user={user} isSmall />)}
        </span>
        {count > 0 && <Badge count={count} isMine={channelId === undefined} />}
        <Moment timestamp={timestamp} />
      </a>
    </li>
  );
}

const weekdayOf = dateForm({ weekday: "short" });
const dayOf = dateForm({ day: "numeric", month: "short" });
const monthOf = dateForm({ month: "short", year: "numeric" });
const sixDaysMilliseconds = 6 * 86_400_000;

/**
 * The time of a message: the hour for today, the weekday for the six days before, the date for
 * other days of this year, and otherwise the month.
 */
function Moment({ timestamp }: { timestamp: number }) {
  const moment = new Date(timestamp * 1_000);
  return <time dateTime={moment.toISOString()}>{nearest(moment)}</time>;
}

function nearest(moment: Date): string {
  const age = today.value - moment.getTime();
  if (age <= 0) return moments.value.hour(moment);
  if (age <= sixDaysMilliseconds) return weekdayOf(moment);
  const isOfThisYear = moment.getFullYear() === new Date(today.value).getFullYear();
  return (isOfThisYear ? dayOf : monthOf)(moment);
}
