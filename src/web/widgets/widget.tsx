import type { ComponentChildren } from "preact";
import type { FlaggedMessage } from "../model/message";
import { widgetOf } from "../model/widget";
import { PollView } from "./poll";
import { TaskListView } from "./task-list";

interface WidgetProps {
  message: FlaggedMessage;
  /** The text of the message, shown if this client does not know its widget. */
  children: ComponentChildren;
}

/** A poll or a to-do list, shown instead of the text that created it. */
export function WidgetView({ message, children }: WidgetProps) {
  const widget = widgetOf(message);
  if (!widget) return <>{children}</>;
  return widget.kind === "poll" ? (
    <PollView message={message} poll={widget} />
  ) : (
    <TaskListView message={message} list={widget} />
  );
}
