import { kindOf, topicNarrow } from "../model/narrow-kind";
import type { Event, EventOf } from "../model/wire";
import { fragmentOf } from "./names";
import { place, replacePlace } from "./place";
import { channels } from "./state";

/** Goes along with the topic that is open, where all of it is moved or renamed. */
export function applyToPlace(events: readonly Event[]): void {
  for (const event of events) if (event.type === "update_message") follow(event);
}

function follow(event: EventOf<"update_message">): void {
  const open = kindOf(place.value.narrow);
  const { orig_subject: before, stream_id: from, new_stream_id: to = from } = event;
  if (open.kind !== "topic" || place.value.view !== "messages") return;
  if (before === undefined || event.propagate_mode !== "change_all") return;
  if (from !== open.channelId || before.toLowerCase() !== open.topic.toLowerCase()) return;
  if (to === undefined || !channels.value.has(to)) return;
  replacePlace(fragmentOf(topicNarrow(to, event.subject ?? before)));
}
