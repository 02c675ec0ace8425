import type { Narrow } from "../model/narrow";
import { kindOf, topicNarrow } from "../model/narrow-kind";
import type { Event, EventOf } from "../model/wire";
import { fragmentOf } from "../store/names";
import { place, replacePlace } from "../store/place";
import { channels } from "../store/state";
import { anchorIn, atEnd } from "./anchor";

/** Follows the open topic to its new place, if all of it was moved or renamed. */
export function followMovedTopic(events: readonly Event[]): void {
  for (const event of events) if (event.type === "update_message") follow(event);
}

function follow(event: EventOf<"update_message">): void {
  const open = kindOf(place.value.narrow);
  const { orig_subject: before, stream_id: from, new_stream_id: to = from } = event;
  if (open.kind !== "topic" || place.value.view !== "messages") return;
  if (before === undefined || event.propagate_mode !== "change_all") return;
  if (from !== open.channelId || before.toLowerCase() !== open.topic.toLowerCase()) return;
  if (to === undefined || !channels.value.has(to)) return;
  replacePlace(fragmentOf([...topicNarrow(to, event.subject ?? before), ...placeInSight()]));
}

/**
 * A term that opens the new place at the message that is being read; empty at the end of the topic,
 * where new messages are expected.
 */
function placeInSight(): Narrow {
  const scroller = document.querySelector<HTMLElement>(".feed");
  const anchor = scroller ? anchorIn(scroller, true) : atEnd;
  const operand = anchor.isAtEnd ? undefined : anchor.rows[0]?.id;
  return operand === undefined ? [] : [{ operator: "near", operand, negated: false }];
}
