import { applyToPoll, type Poll, pollFrom } from "./poll";
import { applyToTasks, type TaskList, taskListFrom } from "./task-list";
import { membersIn, type WidgetAction } from "./widget-data";
import type { Event, Message } from "./wire";

/** A message that people change together: a poll or a to-do list. */
export type Widget = Poll | TaskList;

type Submessage = Message["submessages"][number];

/**
 * The widget of a message, after all actions, in the order in which the server received them;
 * undefined if the message has no widget that this client knows.
 */
export function widgetOf(message: Pick<Message, "sender_id" | "submessages">): Widget | undefined {
  const [first, ...rest] = message.submessages
    .filter(({ msg_type }) => msg_type === "widget")
    .sort((one, other) => one.id - other.id);
  if (!first) return undefined;
  const { widget_type, extra_data } = membersIn(first.content);
  const actions = rest.map((submessage) => actionOf(submessage, message.sender_id));
  if (widget_type === "poll") return actions.reduce(applyToPoll, pollFrom(extra_data));
  return widget_type === "todo"
    ? actions.reduce(applyToTasks, taskListFrom(extra_data))
    : undefined;
}

/**
 * A message with new actions on its widget added. Without new actions, the message itself is
 * returned.
 */
export function withNews<One extends Pick<Message, "id" | "submessages">>(
  message: One,
  events: readonly Event[],
): One {
  const have = new Set(message.submessages.map(({ id }) => id));
  const news = events.flatMap((event) => {
    if (event.type !== "submessage" || event.message_id !== message.id) return [];
    const { submessage_id: id, message_id, sender_id, msg_type, content } = event;
    return have.has(id) ? [] : [{ id, message_id, sender_id, msg_type, content }];
  });
  if (news.length === 0) return message;
  return { ...message, submessages: [...message.submessages, ...news] };
}

/**
 * The number of times that somebody has toggled a task, and whether the task was done right after
 * the last time.
 */
export function strikesOf(
  message: Pick<Message, "sender_id" | "submessages">,
  key: string,
  userId: number,
): { readonly count: number; readonly isDone: boolean } {
  const ordered = message.submessages.toSorted((one, other) => one.id - other.id);
  const own = ordered.filter(({ sender_id, msg_type, content }) => {
    const data = msg_type === "widget" && sender_id === userId ? membersIn(content) : {};
    return data["type"] === "strike" && data["key"] === key;
  });
  const last = own.at(-1)?.id ?? 0;
  const until = ordered.filter(({ id }) => id <= last);
  const list = widgetOf({ sender_id: message.sender_id, submessages: until });
  const tasks = list?.kind === "tasks" ? list.tasks : [];
  return { count: own.length, isDone: tasks.some((task) => task.key === key && task.isDone) };
}

const actionOf = ({ sender_id, content }: Submessage, authorId: number): WidgetAction => ({
  senderId: sender_id,
  isByAuthor: sender_id === authorId,
  data: membersIn(content),
});
