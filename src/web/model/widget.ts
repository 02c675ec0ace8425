import { applyToPoll, type Poll, pollFrom } from "./poll";
import { applyToTasks, type TaskList, taskListFrom } from "./task-list";
import { membersIn, type WidgetAction } from "./widget-data";
import type { Message } from "./wire";

/** A message that people change together: a poll or a to-do list. */
export type Widget = Poll | TaskList;

type Submessage = Message["submessages"][number];

/**
 * The widget of a message, after all that people have done with it, in the order in which the server
 * has heard of it; undefined where the message has none that is known here.
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

const actionOf = ({ sender_id, content }: Submessage, authorId: number): WidgetAction => ({
  senderId: sender_id,
  isByAuthor: sender_id === authorId,
  data: membersIn(content),
});
