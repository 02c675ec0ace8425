import type { FlaggedMessage } from "../model/message";
import { post } from "../net/api";
import { attempt } from "../store/notices";

type Action = Readonly<Record<string, unknown>>;

/** Does something with the widget of a message. Its event shows it. Throws a `Refusal`. */
export const ask = (messageId: number, action: Action): Promise<unknown> =>
  post("/submessage", {
    message_id: messageId,
    msg_type: "widget",
    content: JSON.stringify(action),
  });

/** Does something with a widget; answers whether the server has agreed. */
export const act = ({ id }: FlaggedMessage, action: Action): Promise<boolean> =>
  attempt(() => ask(id, action));

/** The greatest indexes that this page has given to new options and tasks, by their messages. */
const givenIndexes = new Map<number, number>();

/** The least index for a new option or task: those before may be on their way. */
export const firstIndex = ({ id }: FlaggedMessage): number => (givenIndexes.get(id) ?? 0) + 1;

/** Adds an option or a task under an index; answers whether the server has agreed. */
export function addUnder(index: number, message: FlaggedMessage, action: Action): Promise<boolean> {
  givenIndexes.set(message.id, index);
  return act(message, action);
}

/** Texts that were begun in fields of widgets: a row that is scrolled away and drawn again has them. */
export const begun = new Map<string, string>();
