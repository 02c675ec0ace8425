import { computed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { characterOf } from "../model/emoji";
import { presentFirst } from "../model/first-people";
import { directNarrow } from "../model/narrow-kind";
import { mayAddSubscribers, mayInviteByMail, mayMakeInviteLinks } from "../model/permissions";
import type { User } from "../model/wire";
import { Face } from "../parts/face";
import { Icon } from "../parts/icon";
import { useLeftPlace } from "../parts/left-place";
import { useRoving } from "../parts/roving-lines";
import { feedOf } from "../store/feeds";
import { membersDropped, membersOf, openMembers } from "../store/members";
import { channelName, fragmentOf } from "../store/names";
import { closePeople, closeSheet } from "../store/people-pane";
import { isSideASheet, place, shownKind } from "../store/place";
import { signOfUser, signReader } from "../store/presence";
import { channels, emoji, me, model, statuses, users } from "../store/state";
import { language, words } from "../words/words";
import { Line } from "./line";

const shownMax = 60;

/**
 * The people of the current view: of the topic, of the channel, or of the organization. Arrow keys
 * move between them.
 */
export function People({ side }: { side: RefObject<HTMLElement | null> }) {
  useRoving(side);
  useLeftPlace(closeSheet);
  const kind = shownKind();
  return (
    <>
      <h2>
        {words.views.people}
        {isSideASheet.value && (
          <button
            type="button"
            class="tool"
            title={words.views.closePeople}
            aria-label={words.views.closePeople}
            onClick={closePeople}
          >
            <Icon name="close" />
          </button>
        )}
      </h2>
      {kind && "channelId" in kind ? (
        <OfChannel channelId={kind.channelId} isTopic={kind.kind === "topic"} />
      ) : kind?.kind === "direct" ? (
        <List people={peopleOfIds(new Set([...kind.userIds, me.value]))} />
      ) : (
        <OfOrganization />
      )}
    </>
  );
}

const names = new Intl.Collator(language);

const byName = (one: User, other: User): number => names.compare(one.full_name, other.full_name);

const peopleOfIds = (ids: Iterable<number>): readonly User[] =>
  [...ids].flatMap((id) => users.value.get(id) ?? []);

/** All people except bots and deactivated people. */
const everybody = computed(() =>
  [...users.value.values()].filter(({ is_active, is_bot }) => is_active && !is_bot),
);

function OfChannel({ channelId, isTopic }: { channelId: number; isTopic: boolean }) {
  const writers = isTopic
    ? new Set(feedOf(place.value.narrow)?.messages.map(({ sender_id }) => sender_id))
    : new Set<number>();
  const members = membersOf(channelId);
  const dropped = membersDropped.value;
  useEffect(() => void openMembers(channelId), [channelId, dropped]);
  const channel = channels.value.get(channelId);
  const others = new Set([...(members ?? [])].filter((id) => !writers.has(id)));
  return (
    <>
      {writers.size > 0 && (
        <>
          <h3>{words.views.inTopic}</h3>
          <List people={peopleOfIds(writers)} />
        </>
      )}
      {members && (
        <>
          <h3 dir="auto">{words.views.inChannel(channelName(channelId), members.size)}</h3>
          <List people={peopleOfIds(others)} />
        </>
      )}
      {channel && !channel.is_archived && mayAddSubscribers(model.value, channel) && (
        <ul>
          <Line
            href={`#channels/${channelId}`}
            mark={<Icon name="plus" />}
            name={words.views.addPeople}
          />
        </ul>
      )}
    </>
  );
}

const OfOrganization = () => (
  <>
    <h3>{words.views.inOrganization}</h3>
    <List people={everybody.value} />
    {(mayInviteByMail(model.value) || mayMakeInviteLinks(model.value)) && (
      <ul>
        <Line href="#invitations" mark={<Icon name="plus" />} name={words.views.invitations} />
      </ul>
    )}
  </>
);

/** People by name; people who are present come first. */
function List({ people }: { people: readonly User[] }) {
  const shown = presentFirst(people, signReader(), { order: byName, most: shownMax });
  const rest = people.length - shown.length;
  return (
    <>
      <ul>
        {shown.map((user) => (
          <PersonLine key={user.user_id} user={user} />
        ))}
      </ul>
      {rest > 0 && <p class="empty">{words.views.andMore(rest)}</p>}
    </>
  );
}

function PersonLine({ user }: { user: User }) {
  const { user_id: id, full_name: name } = user;
  const current = shownKind();
  const isCurrent = current?.kind === "direct" && current.userIds.join() === String(id);
  return (
    <li>
      <a
        class="line"
        href={fragmentOf(directNarrow([id]))}
        aria-current={isCurrent ? "page" : undefined}
      >
        <Face user={user} sign={signOfUser(user)} />
        <span class="name">
          <bdi>{name}</bdi> {id === me.value && <small>{words.you}</small>} <StatusOf userId={id} />
        </span>
      </a>
    </li>
  );
}

/** Somebody's status: an emoji and a text. */
export function StatusOf({ userId }: { userId: number }) {
  const status = statuses.value.get(userId);
  if (!status) return null;
  const { status_text: text, emoji_name: name, emoji_code: code, reaction_type: type } = status;
  const picture = code === undefined ? undefined : emoji.value.get(code)?.source_url;
  return (
    <small>
      {name !== undefined && type === "unicode_emoji" && code !== undefined && characterOf(code)}
      {name !== undefined && type !== "unicode_emoji" && picture !== undefined && (
        <img class="emoji" src={picture} alt={`:${name}:`} />
      )}{" "}
      {text}
    </small>
  );
}
