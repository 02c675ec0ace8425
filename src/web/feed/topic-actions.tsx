import type { ComponentChildren } from "preact";
import { isResolved } from "../../protocol/topics";
import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import { mayMoveToChannel, mayMoveToTopic, mayResolve } from "../model/permissions";
import { Icon } from "../parts/icon";
import { type MenuItem, showMenu } from "../parts/menu";
import { linkToChannel, linkToTopic } from "../store/links";
import { attempt, notify } from "../store/notices";
import { markChannelRead, markEverythingRead, markTopicRead } from "../store/reading";
import { serverSeconds } from "../store/server-time";
import { channels, model } from "../store/state";
import {
  choiceOf,
  isTopicMuted,
  newestOf,
  toggleFollow,
  toggleOfChannel,
  toggleResolved,
  toggleTopicMute,
} from "../store/topic-choices";
import { words } from "../words/words";
import { copy } from "./message-actions";
import { openMove } from "./move-dialog";

interface TopicProps {
  channelId: number;
  topic: string;
}

/** The tools of every view, which stand between the actions and the menu. */
type WithTools = { children?: ComponentChildren };

/** The actions of a topic in its head: follow, resolve, and a menu. */
function TopicActions({ channelId, topic, children }: TopicProps & WithTools) {
  const isFollowed = choiceOf(channelId, topic) === "followed";
  const isDone = isResolved(topic);
  const { actions } = words;
  return (
    <>
      <button
        type="button"
        class={isFollowed ? "chip on" : "chip"}
        aria-pressed={isFollowed}
        onClick={() => void toggleFollow(channelId, topic)}
      >
        <Icon name="bell" />
        <span>{isFollowed ? actions.following : actions.follow}</span>
      </button>
      {mayMarkResolved(channelId) && (
        <button
          type="button"
          class={isDone ? "chip on" : "chip"}
          aria-pressed={isDone}
          onClick={() => void toggleResolved(channelId, topic)}
        >
          <Icon name="check" />
          <span>{isDone ? actions.resolved : actions.resolve}</span>
        </button>
      )}
      {children}
      <MoreButton label={actions.ofTopic} groups={() => topicMenu({ channelId, topic })} />
    </>
  );
}

function mayMarkResolved(channelId: number): boolean {
  const channel = channels.value.get(channelId);
  return channel !== undefined && mayResolve(model.value, channel);
}

/** The actions of a channel in its head. */
const ChannelActions = ({ channelId, children }: { channelId: number } & WithTools) => (
  <>
    {children}
    <MoreButton label={words.actions.ofChannel} groups={() => channelMenu(channelId)} />
  </>
);

/** The actions of a view of messages in its head. */
export function ViewActions({ narrow, children }: { narrow: Narrow } & WithTools) {
  const shown = kindOf(narrow);
  if (shown.kind === "topic")
    return (
      <TopicActions channelId={shown.channelId} topic={shown.topic}>
        {children}
      </TopicActions>
    );
  if (shown.kind === "channel")
    return <ChannelActions channelId={shown.channelId}>{children}</ChannelActions>;
  return shown.kind === "all" ? <EverythingActions>{children}</EverythingActions> : <>{children}</>;
}

/** The actions of the view of all messages in its head. */
const EverythingActions = ({ children }: WithTools) => (
  <>
    {children}
    <MoreButton
      label={words.actions.more}
      groups={() => [
        [{ name: words.actions.readAll, icon: "check", run: () => void markEverythingRead() }],
      ]}
    />
  </>
);

interface MoreProps {
  label: string;
  groups: () => readonly (readonly MenuItem[])[];
}

const MoreButton = ({ label, groups }: MoreProps) => (
  <button
    type="button"
    class="tool"
    title={label}
    aria-label={label}
    aria-haspopup="menu"
    onClick={({ currentTarget }) => showMenu({ label, groups: groups(), anchor: currentTarget })}
  >
    <Icon name="more" />
  </button>
);

/** The items of a topic's menu. */
function topicMenu({ channelId, topic }: TopicProps): readonly (readonly MenuItem[])[] {
  const { actions } = words;
  const isMuted = isTopicMuted(channelId, topic);
  return [
    [
      {
        name: actions.readTopic,
        icon: "check",
        run: () => void markTopicRead(channelId, topic),
      },
      {
        name: isMuted ? actions.unmuteTopic : actions.muteTopic,
        icon: "muted",
        run: () => void toggleTopicMute(channelId, topic),
      },
      {
        name: choiceOf(channelId, topic) === "followed" ? actions.unfollow : actions.follow,
        icon: "bell",
        run: () => void toggleFollow(channelId, topic),
      },
    ],
    mayMarkResolved(channelId)
      ? [
          {
            name: isResolved(topic) ? actions.unresolve : actions.resolve,
            icon: "check",
            run: () => void toggleResolved(channelId, topic),
          },
        ]
      : [],
    [
      {
        name: actions.copyTopicLink,
        icon: "link",
        run: () => void copy(linkToTopic(channelId, topic), actions.linkCopied),
      },
    ],
    [{ name: actions.moveTopic, icon: "move", run: () => moveTopic(channelId, topic) }],
  ];
}

/** The items of a channel's menu. */
function channelMenu(channelId: number): readonly (readonly MenuItem[])[] {
  const { actions } = words;
  const channel = channels.value.get(channelId);
  const read: MenuItem = {
    name: actions.readChannel,
    icon: "check",
    run: () => void markChannelRead(channelId),
  };
  const open: MenuItem = {
    name: actions.openChannelSettings,
    icon: "gear",
    run: () => {
      location.hash = `#channels/${channelId}`;
    },
  };
  const link: MenuItem = {
    name: actions.copyChannelLink,
    icon: "link",
    run: () => void copy(linkToChannel(channelId), actions.linkCopied),
  };
  if (channel?.standing !== "subscribed") return [[read], [link, open]];
  return [
    [read],
    [
      {
        name: channel.is_muted ? actions.unmuteChannel : actions.muteChannel,
        icon: "muted",
        run: () => void toggleOfChannel(channelId, "is_muted"),
      },
      {
        name: channel.pin_to_top ? actions.unpinChannel : actions.pinChannel,
        icon: "pin",
        run: () => void toggleOfChannel(channelId, "pin_to_top"),
      },
    ],
    [link, open],
  ];
}

/** Asks where to move a topic, or for its new name. */
export async function moveTopic(channelId: number, topic: string): Promise<void> {
  await attempt(async () => {
    const message = await newestOf(channelId, topic);
    if (message === undefined) return notify(words.actions.emptyTopic);
    const seconds = serverSeconds();
    if (
      !mayMoveToTopic(model.value, message, seconds) &&
      !mayMoveToChannel(model.value, message, seconds)
    )
      return notify(words.actions.mayNotMove);
    openMove(message, "change_all");
  });
}
