import { manyMentioned } from "../../protocol/limits";
import { isResolved } from "../../protocol/topics";
import type { Channel } from "../model/channels";
import { isGuest, may, maySend } from "../model/permissions";
import type { Target } from "../model/recipient";
import { post } from "../net/api";
import { boxTarget, boxText, isOfView } from "../store/box";
import { membersOf } from "../store/members";
import { reasonOf } from "../store/notices";
import { channels, model, organization, users } from "../store/state";
import { composeWords } from "../words/compose";
import { obstacle } from "./message-box";

const channelOf = (target: Target): Channel | undefined =>
  target.kind === "topic" && target.channelId !== undefined
    ? channels.value.get(target.channelId)
    : undefined;

/**
 * Why nothing can be written in the open view, shown instead of the box; undefined if one can
 * write, or can choose another recipient.
 */
export const closedBecause = (): string | undefined =>
  isOfView.value ? refusalOf(boxTarget.value) : undefined;

/** Why nothing can be written to a recipient. */
function refusalOf(target: Target): string | undefined {
  if (target.kind === "direct") return closedToPeople(target.userIds);
  const channel = channelOf(target);
  if (target.channelId !== undefined && !channel) return composeWords.closed.unknownChannel;
  if (!channel || maySend(model.value, channel)) return undefined;
  return channel.is_archived ? composeWords.closed.archived : composeWords.closed.mayNotPost;
}

function closedToPeople(userIds: readonly number[]): string | undefined {
  const gone = userIds.map((id) => users.value.get(id)).find((user) => user?.is_active === false);
  return gone && composeWords.closed.accountEnded(gone.full_name);
}

/** Lines below the text about effects that its writer may not expect. */
export function Warnings() {
  const target = boxTarget.value;
  const remarks = [...warningsOf(target, boxText.value)];
  const channel = channelOf(target);
  const isOutside = channel && channel.standing !== "subscribed" && !isGuest(model.value);
  return (
    <ul class="warnings" aria-label={composeWords.warnings}>
      {remarks.map((text) => (
        <li key={text} dir="auto">
          {text}
        </li>
      ))}
      {isOutside && boxText.value !== "" && (
        <li dir="auto">
          {composeWords.notSubscribed(channel.name)}
          <button type="button" class="chip" onClick={() => void join(channel)}>
            {composeWords.join}
          </button>
        </li>
      )}
    </ul>
  );
}

function* warningsOf(target: Target, text: string): Iterable<string> {
  const refusal = refusalOf(target);
  if (refusal !== undefined) yield refusal;
  if (text === "") return;
  if (target.kind === "topic" && isResolved(target.topic)) yield composeWords.resolved;
  yield* mentionWarnings(target, text);
  if (target.kind === "direct" && organization.value.enable_guest_user_dm_warning) {
    const guests = target.userIds.flatMap((id) => {
      const user = users.value.get(id);
      return user?.is_guest ? [user.full_name] : [];
    });
    if (guests.length > 0) yield composeWords.guests(guests);
  }
}

/** Warnings about mentioned people who will not be notified, or of whom there are many. */
export function* mentionWarnings(target: Target, text: string): Iterable<string> {
  const channel = channelOf(target);
  if (!channel) return;
  if (mentionsAll.test(text)) {
    const { subscriber_count: count } = channel;
    if (count > manyMentioned)
      yield may(model.value, "can_mention_many_users_group")
        ? composeWords.manyMentioned(count)
        : composeWords.mayNotMentionMany(manyMentioned);
  }
  yield* outsidersIn(text, channel);
}

/** The person of a name; where nobody has it with these capitals, one who has it with others. */
function personNamed(name: string) {
  const people = [...users.value.values()];
  const folded = name.toLowerCase();
  return (
    people.find(({ full_name }) => full_name === name) ??
    people.find(({ full_name }) => full_name.toLowerCase() === folded)
  );
}

/** Mentioned people who are not in the channel. In private channels they are not notified. */
function* outsidersIn(text: string, { stream_id: channelId, invite_only }: Channel) {
  const members = membersOf(channelId);
  if (!members) return;
  for (const [, name = "", id] of text.matchAll(/(?<!`)@\*\*([^*|]+)(?:\|(\d+))?\*\*/g)) {
    const user = id === undefined ? personNamed(name) : users.value.get(Number(id));
    if (!user || user.is_bot || members.has(user.user_id)) continue;
    yield invite_only
      ? composeWords.cannotRead(user.full_name)
      : composeWords.notInChannel(user.full_name);
  }
}

const mentionsAll = /(?<!`)@\*\*(?:all|everyone|channel|stream)\*\*/;

async function join({ name }: Channel): Promise<void> {
  try {
    await post("/users/me/subscriptions", { subscriptions: [{ name }] });
  } catch (error) {
    obstacle.value = reasonOf(error);
  }
}
