import { byKey, putAll, withoutKeys } from "./copies";
import type { Draft, Event, Register } from "./wire";

/** The person's drafts on the server, by id. */
export type Drafts = ReadonlyMap<number, Draft>;

const keyOf = ({ id }: Draft) => id;

export const draftsFrom = ({ drafts }: Register): Drafts => byKey(drafts, keyOf);

/** If the person no longer wants drafts on the server, the server has deleted them. */
export function applyDrafts(drafts: Drafts, event: Event): Drafts {
  if (event.type === "user_settings") {
    const isEnd = event.property === "enable_drafts_synchronization" && !event.value;
    return isEnd ? withoutKeys(drafts, drafts.keys()) : drafts;
  }
  if (event.type !== "drafts") return drafts;
  if (event.op === "add") return putAll(drafts, event.drafts, keyOf);
  if (event.op === "update") return putAll(drafts, [event.draft], keyOf);
  return withoutKeys(drafts, [event.draft_id]);
}
