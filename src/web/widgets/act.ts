import type { FlaggedMessage } from "../model/message";
import { post } from "../net/api";
import { attempt } from "../store/notices";

type Action = Readonly<Record<string, unknown>>;

/** Sends an action on the widget of a message. Its event shows the result. Throws a `Refusal`. */
export const ask = (messageId: number, action: Action): Promise<unknown> =>
  post("/submessage", {
    message_id: messageId,
    msg_type: "widget",
    content: JSON.stringify(action),
  });

/** Sends an action on a widget; returns whether the server has accepted it. */
export const act = ({ id }: FlaggedMessage, action: Action): Promise<boolean> =>
  attempt(() => ask(id, action));

/** The greatest indexes that this page has used for new options and tasks, by message id. */
const givenIndexes = new Map<number, number>();

/**
 * The least index for a new option or task, because those with lower indexes may be on their way.
 */
export const firstIndex = ({ id }: FlaggedMessage): number => (givenIndexes.get(id) ?? 0) + 1;

/** Adds an option or a task with an index; returns whether the server has accepted it. */
export function addUnder(index: number, message: FlaggedMessage, action: Action): Promise<boolean> {
  givenIndexes.set(message.id, index);
  return act(message, action);
}

/**
 * Texts that were begun in fields of widgets. They survive when a row is scrolled away and drawn
 * again.
 */
export const begun = new Map<string, string>();
