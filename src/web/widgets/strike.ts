import type { FlaggedMessage } from "../model/message";
import { strike, type Task, type TaskList } from "../model/task-list";
import { strikesOf } from "../model/widget";
import { me } from "../store/state";
import { act } from "./act";

/** The wish of a person about a task that they have struck, with the count of their strikes before. */
interface Wish {
  readonly isDone: boolean;
  readonly strikes: number;
}

/** By the ids of messages and the keys of tasks. */
const wishes = new Map<string, Wish>();

const nameOf = (message: FlaggedMessage, { key }: Task): string => `${message.id} ${key}`;

/** Checks a task off, or takes that back; one that is under way comes first. */
export async function strikeTask(message: FlaggedMessage, task: Task): Promise<void> {
  const name = nameOf(message, task);
  if (wishes.has(name)) return;
  const { count } = strikesOf(message, task.key, me.peek());
  wishes.set(name, { isDone: !task.isDone, strikes: count });
  if (!(await act(message, strike(task)))) wishes.delete(name);
}

/**
 * Strikes a task once more where somebody else has struck it meanwhile. In the protocol a strike
 * turns a task over, so that two who check it off together would leave it undone.
 */
export function followStrikes(message: FlaggedMessage, { tasks }: TaskList): void {
  for (const task of tasks) {
    const name = nameOf(message, task);
    const wish = wishes.get(name);
    const { count, isDone } = strikesOf(message, task.key, me.peek());
    if (!wish || count <= wish.strikes) continue;
    wishes.delete(name);
    if (isDone !== wish.isDone && task.isDone !== wish.isDone) void act(message, strike(task));
  }
}
