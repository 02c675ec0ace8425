import { useEffect, useState } from "preact/hooks";
import { channelNarrow, directNarrow } from "../model/narrow-kind";
import type { User } from "../model/wire";
import { Refusal, read } from "../net/api";
import { Avatar } from "../parts/avatar";
import { ChannelMark } from "../parts/channel-mark";
import { signNames } from "../parts/face";
import { moments } from "../store/moments";
import { channelName, fragmentOf, userName } from "../store/names";
import { signOfUser } from "../store/presence";
import { channels, me, statuses } from "../store/state";
import { StatusOf } from "../views/people";
import { cardWords } from "../words/cards";
import { words } from "../words/words";
import { localTime } from "./local-time";
import { PersonButtons } from "./person-buttons";
import { PersonFields } from "./person-fields";

/** Facts about a person, and buttons for them. */
export function PersonCard({ user }: { user: User }) {
  const { user_id: id, full_name: name, bot_owner_id: ownerId } = user;
  const sign = signOfUser(user);
  const time = localTime(user.timezone);
  const role = user.is_bot ? words.bot : (words.roles.get(user.role) ?? cardWords.member);
  return (
    <>
      <div class="card-head">
        <Avatar user={user} />
        <div>
          <h2 dir="auto">{name}</h2>
          <p>
            {[role, sign && signNames[sign], id === me.value && words.you]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
      </div>
      <div class="card-body">
        {!user.is_active && <p>{cardWords.deactivated}</p>}
        <p dir="auto">
          <StatusOf userId={id} /> <EndOfStatus userId={id} />
        </p>
        {time !== undefined && <p>{cardWords.localTime(time)}</p>}
        {ownerId !== null && <p dir="auto">{cardWords.ownedBy(userName(ownerId))}</p>}
        {user.delivery_email !== null && (
          <p>
            <a href={`mailto:${encodeURIComponent(user.delivery_email)}`}>{user.delivery_email}</a>
          </p>
        )}
        <PersonFields user={user} />
      </div>
      <PersonButtons user={user} direct={fragmentOf(directNarrow([id]))} />
      {id !== me.value && user.is_active && <SharedChannels userId={id} />}
    </>
  );
}

/** The time at which a status ends. */
function EndOfStatus({ userId }: { userId: number }) {
  const seconds = statuses.value.get(userId)?.scheduled_end_time;
  if (seconds === undefined) return null;
  const at = new Date(seconds * 1_000);
  return (
    <small>
      <time dateTime={at.toISOString()}>{cardWords.until(moments.value.near(at))}</time>
    </small>
  );
}

const shownMax = 12;

/**
 * The channels that the viewer shares with the person. They are loaded late, so they are last,
 * where they move nothing, and their place is reserved.
 */
function SharedChannels({ userId }: { userId: number }) {
  const [ids, setIds] = useState<readonly number[]>();
  useEffect(() => {
    const left = new AbortController();
    read("/users/{user_id}/channels", { user_id: userId }, left.signal).then(
      ({ subscribed_channel_ids }) => setIds(subscribed_channel_ids),
      (error: unknown) => {
        // The card is complete without them. It may also be closed by then.
        if (!(error instanceof Refusal) && !left.signal.aborted) throw error;
      },
    );
    return () => left.abort();
  }, [userId]);
  const shared = ids?.filter((id) => channels.value.get(id)?.standing === "subscribed");
  return (
    <div class="shared">
      {shared?.length !== 0 && <h3>{cardWords.channels}</h3>}
      <ul>
        {shared?.slice(0, shownMax).map((id) => (
          <li key={id}>
            <a class="chip" href={fragmentOf(channelNarrow(id))}>
              <ChannelMark channelId={id} />
              <span dir="auto">{channelName(id)}</span>
            </a>
          </li>
        ))}
      </ul>
      {shared && shared.length > shownMax && <p>{words.views.andMore(shared.length - shownMax)}</p>}
    </div>
  );
}
