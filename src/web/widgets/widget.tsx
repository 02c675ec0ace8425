import type { ComponentChildren } from "preact";
import type { FlaggedMessage } from "../model/message";
import { widgetOf } from "../model/widget";
import { PollView } from "./poll";
import { TaskListView } from "./task-list";

interface WidgetProps {
  message: FlaggedMessage;
  /** The message as its text, where this client does not know its widget. */
  children: ComponentChildren;
}

/** A poll or a to-do list, in the place of the text that has made it. */
export function WidgetView({ message, children }: WidgetProps) {
  const widget = widgetOf(message);
  if (!widget) return <>{children}</>;
  return widget.kind === "poll" ? (
    <PollView message={message} poll={widget} />
  ) : (
    <TaskListView message={message} list={widget} />
  );
}
