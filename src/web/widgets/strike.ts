import { signal } from "@preact/signals";
import { now } from "../clock";
import type { FlaggedMessage } from "../model/message";
import { strike, type Task } from "../model/task-list";
import { strikesOf, widgetOf, withNews } from "../model/widget";
import type { Event } from "../model/wire";
import { onEvents } from "../store/event-followers";
import { me } from "../store/state";
import { act } from "./act";

/** The state that a person wants for a task they have toggled, until the event arrives. */
interface Wish {
  /** The message as of the newest event. */
  readonly message: FlaggedMessage;
  readonly task: Task;
  readonly isDone: boolean;
  /** The number of the person's strikes before the one in progress. */
  readonly strikes: number;
  readonly at: number;
}

/**
 * The time after which a wish is dropped, because others may have decided since, and nobody expects
 * a change any more.
 */
const wishMilliseconds = 15_000;

/** By message id and task key. */
const wishes = signal<ReadonlyMap<string, Wish>>(new Map());

const nameOf = ({ id }: FlaggedMessage, { key }: Task): string => `${id} ${key}`;

/**
 * Whether a task is done. While the person's strike is in progress, it is the state that they want.
 */
export const isDone = (message: FlaggedMessage, task: Task): boolean =>
  wishes.value.get(nameOf(message, task))?.isDone ?? task.isDone;

/** Checks a task off, or unchecks it. While a strike is in progress, this only changes the wish. */
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
 * Toggles a task once more if somebody else has toggled it meanwhile. In the protocol a strike
 * toggles a task, so two people who check it off together would leave it unchecked.
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
  // If the task was in the wanted state once, others have changed it knowingly.
  else if (isDoneByStrike === wish.isDone || isDoneNow === wish.isDone || isOver(wish)) drop(wish);
  else void send({ ...wish, strikes: count });
}

onEvents(applyToWishes);
