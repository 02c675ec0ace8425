import { type ChannelRow, findChannel } from "../../channels/queries";
import type { Context, Person, Tx } from "../../core/context";
import { namedInNotice } from "../../core/notice-actor";
import { isHiddenFrom } from "../../core/reading-right/predicate";
import { topicPath } from "../../protocol/narrow-links";
import { topicLink } from "../../reading/topic-link";
import { sendNoticeIn } from "../send/notice";
import { changesChannel, type Move, type MovedMessage } from "./plan";
import { tellResolution } from "./resolution";

/**
 * Posts notices about a move in the topics concerned: which messages were moved, by whom, and where
 * from or to, as far as the actor wants them. A topic that was resolved or unresolved always gets
 * that notice, and no other. `isWhole`: the old place has no message left that the actor could see;
 * `joinsOthers`: the new place had messages before that the actor could see.
 * Source: `docs/protocol/specification.md`, States and transitions; recorded behaviour of the
 * reference server.
 */
export async function tellMove(
  tx: Tx,
  ctx: Context<Person>,
  move: Move,
  moved: readonly MovedMessage[],
  { isWhole, joinsOthers }: { isWhole: boolean; joinsOthers: boolean },
) {
  const { message, from, into, topic, resolution, namesChannel, wanted } = move;
  if (resolution) {
    await tellResolution(tx, ctx, into, topic, resolution);
    if (!namesChannel) return;
  }
  const linksTo = [from, into];
  const who = namedInNotice(ctx);
  if (wanted.notifyNew) {
    const content = `${described(moved, isWhole && !joinsOthers, addressIn(into, topic))} moved here from ${sourceOf(move)} by ${who}.`;
    await sendNoticeIn(tx, ctx, { channel: into, topic, content, linksTo });
  }
  if (wanted.notifyOld) {
    const content = `${described(moved, isWhole)} moved ${isWhole ? "" : "from this topic "}to ${targetOf(move)} by ${who}.`;
    // The channel may be empty now, and then the notice becomes its first message.
    const channel = (await findChannel(tx, from.realmId, from.id)) ?? from;
    await sendNoticeIn(tx, ctx, { channel, topic: message.topic, content, linksTo });
  }
}

/**
 * A channel and its topics are not named to readers of the other one who may not know it (A16): a
 * private channel never, and a channel that is not open to the web not where the other one is.
 */
function named(move: Move, channel: ChannelRow, topic: string, readers: ChannelRow): string {
  if (!changesChannel(move) || !isHiddenFrom(channel, readers)) return topicLink(channel, topic);
  return channel.inviteOnly ? "a private channel" : "another channel";
}

const sourceOf = (move: Move): string => named(move, move.from, move.message.topic, move.into);
const targetOf = (move: Move): string => named(move, move.into, move.topic, move.from);

/** `addressOf`: address of a message; undefined where it must not be a link. */
function described(
  moved: readonly MovedMessage[],
  isTopic: boolean,
  addressOf?: (id: number) => string,
): string {
  if (isTopic) return "This topic was";
  const [first] = moved;
  if (moved.length > 1 || !first) return `${moved.length} messages were`;
  return addressOf ? `[A message](${addressOf(first.id)}) was` : "A message was";
}

/** Address of a message among those around it, in clients. */
const addressIn = (channel: ChannelRow, topic: string) => (id: number) =>
  `${topicPath(channel, topic)}/near/${id}`;
