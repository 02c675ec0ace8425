import type { Reader } from "../../../db/reader";
import { shownTopic } from "../../channels/topics/empty-topic";
import type { LoggedEvent, RealmRow } from "../../core/context";
import { messageIdOf, type Presenter } from "../../core/event-hub";
import { plainMembers } from "../../core/json/raw-json";
import { historyPolicyOf } from "../../reading/edit-history";
import { flagsOfMessages } from "../../reading/flags-of-messages";
import { filterReadable, findPlaces } from "../../reading/queries";

/**
 * Writes `update_message` events: the change at its time, with the recipient's present flags of the
 * message. The content is left out when its message was deleted or the recipient may no longer read
 * it, because after a move the event would show hidden content; and the whole event, unless it also
 * tells of a move, because other messages may have moved with this one. The old content is empty
 * where the organization does not show it, because Zulip's mobile app ends an edit only by an event
 * that has it.
 */
export function editPresenter(
  reader: Reader,
  realmOf: (realmId: number) => Promise<RealmRow>,
): Presenter {
  return {
    async late(entries, recipient, { sizeBytesMax }) {
      const texts = new Map<number, string>();
      const [first] = entries;
      if (!first) return { texts };
      const who = { realmId: first.realmId, userId: recipient.userId, role: recipient.role };
      const rows = await findPlaces(reader, who.realmId, [...new Set(entries.map(messageIdOf))]);
      const readable = await filterReadable(reader, who, rows);
      const flags = await flagsOfMessages(reader, who, readable);
      const flagsById = new Map(readable.map(({ id }, index) => [id, flags[index]]));
      const showsBefore = historyPolicyOf(await realmOf(who.realmId)) === "all";
      let sizeBytes = 0;
      for (const entry of entries) {
        if (sizeBytes > sizeBytesMax) return { texts, leftFrom: entry.id };
        const flagsOfMessage = flagsById.get(messageIdOf(entry));
        const showsContent = flagsOfMessage !== undefined || !("content" in entry.event);
        if (!showsContent && !tellsMove(entry.event)) continue;
        const members = membersFor(entry.event, {
          knowsEmptyTopics: recipient.options.emptyTopicName,
          showsBefore,
          showsContent,
        });
        texts.set(entry.id, `${members},"flags":${JSON.stringify(flagsOfMessage ?? [])}`);
        sizeBytes += Buffer.byteLength(members);
      }
      return { texts };
    },
  };
}

interface View {
  knowsEmptyTopics: boolean;
  showsBefore: boolean;
  showsContent: boolean;
}

const tellsMove = (event: LoggedEvent) =>
  event["orig_subject"] !== undefined || event["new_stream_id"] !== undefined;

/** Texts that are equal for one view, kept as long as the log keeps the event in memory. */
const sharedTexts = new WeakMap<LoggedEvent, Map<string, string>>();

function membersFor(event: LoggedEvent, view: View): string {
  const texts = sharedTexts.get(event) ?? new Map<string, string>();
  sharedTexts.set(event, texts);
  const variant = [view.knowsEmptyTopics, view.showsBefore, view.showsContent].join();
  const text = texts.get(variant) ?? plainMembers(shownTo(event, view));
  texts.set(variant, text);
  return text;
}

/**
 * With a name instead of each empty topic, for clients that do not know empty topics, and without
 * the contents that are not shown.
 */
function shownTo(
  event: LoggedEvent,
  { knowsEmptyTopics, showsBefore, showsContent }: View,
): LoggedEvent {
  const shown = showsContent ? { ...event } : withoutContent(event);
  if (!showsBefore && shown["orig_content"] !== undefined)
    Object.assign(shown, { orig_content: "", orig_rendered_content: "" });
  for (const field of ["orig_subject", "subject"]) {
    const topic = shown[field];
    if (typeof topic === "string") shown[field] = shownTopic(topic, knowsEmptyTopics);
  }
  return shown;
}

/** The event of a move alone. */
function withoutContent(event: LoggedEvent): LoggedEvent {
  const { content, rendered_content, is_me_message, ...others } = event;
  const { orig_content, orig_rendered_content, ...shown } = others;
  return shown;
}
