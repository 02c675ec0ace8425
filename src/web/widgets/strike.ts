import { signal } from "@preact/signals";
import { now } from "../clock";
import type { FlaggedMessage } from "../model/message";
import { strike, type Task } from "../model/task-list";
import { strikesOf, widgetOf, withNews } from "../model/widget";
import type { Event } from "../model/wire";
import { onEvents } from "../store/event-followers";
import { me } from "../store/state";
import { act } from "./act";

/** The wish of a person about a task that they have struck, until the event of their strike comes. */
interface Wish {
  /** The message as of the newest event. */
  readonly message: FlaggedMessage;
  readonly task: Task;
  readonly isDone: boolean;
  /** Count of the person's strikes before the one that is under way. */
  readonly strikes: number;
  readonly at: number;
}

/**
 * A wish is over after so long, because others may have decided since, and nobody expects a strike
 * any more.
 */
const wishMilliseconds = 15_000;

/** By the ids of messages and the keys of tasks. */
const wishes = signal<ReadonlyMap<string, Wish>>(new Map());

const nameOf = ({ id }: FlaggedMessage, { key }: Task): string => `${id} ${key}`;

/** Whether a task is done, as the person wishes it while their strike is under way. */
export const isDone = (message: FlaggedMessage, task: Task): boolean =>
  wishes.value.get(nameOf(message, task))?.isDone ?? task.isDone;

/** Checks a task off, or takes that back; while a strike is under way that changes the wish alone. */
export async function strikeTask(message: FlaggedMessage, task: Task): Promise<void> {
  const before = wishes.peek().get(nameOf(message, task));
  if (before) return keep({ ...before, isDone: !before.isDone, at: now() });
  const { count: strikes } = strikesOf(message, task.key, me.peek());
  await send({ message, task, isDone: !task.isDone, strikes, at: now() });
}

async function send(wish: Wish): Promise<void> {
  keep(wish);
  if (!(await act(wish.message, strike(wish.task)))) drop(wish);
}

function keep(wish: Wish): void {
  wishes.value = new Map(wishes.peek()).set(nameOf(wish.message, wish.task), wish);
  setTimeout(() => {
    const kept = wishes.peek().get(nameOf(wish.message, wish.task));
    if (kept && isOver(kept)) drop(kept);
  }, wishMilliseconds);
}

const isOver = ({ at }: Wish): boolean => now() - at >= wishMilliseconds;

function drop({ message, task }: Wish): void {
  const left = new Map(wishes.peek());
  left.delete(nameOf(message, task));
  wishes.value = left;
}

/**
 * Strikes a task once more where somebody else has struck it meanwhile. In the protocol a strike
 * turns a task over, so that two who check it off together would leave it undone.
 */
function applyToWishes(events: readonly Event[]): void {
  for (const wish of wishes.peek().values()) {
    const message = withNews(wish.message, events);
    if (message !== wish.message) judge({ ...wish, message });
  }
}

function judge(wish: Wish): void {
  const { message, task } = wish;
  const { count, isDone: isDoneByStrike } = strikesOf(message, task.key, me.peek());
  const list = widgetOf(message);
  const tasks = list?.kind === "tasks" ? list.tasks : [];
  const isDoneNow = tasks.some((one) => one.key === task.key && one.isDone);
  if (count <= wish.strikes) keep(wish);
  // Where it was once as wished, others have changed it knowingly.
  else if (isDoneByStrike === wish.isDone || isDoneNow === wish.isDone || isOver(wish)) drop(wish);
  else void send({ ...wish, strikes: count });
}

onEvents(applyToWishes);
