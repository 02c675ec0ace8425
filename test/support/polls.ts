import type { RunningApp } from "../../src/app";
import type { Answer, Queue } from "./client";

/** Number of turns of the event loop without a pause. */
const turnsAtOnce = 20;

/**
 * Lets the event loop turn until something is so. It pauses between later turns, because they would
 * take the processor from the server and the database, whose work is waited for.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (let turn = 0; !(await isSo()); turn++) {
    if (performance.now() > deadline) throw new Error("It did not become so within ten seconds.");
    await new Promise((resolve) =>
      turn < turnsAtOnce ? setImmediate(resolve) : setTimeout(resolve, 1),
    );
  }
}

/** Whether a client waits on a queue. */
export const isHeld = (app: RunningApp, queueId: string, realmId: number) =>
  app.events.queuesIn(realmId).some(({ id, held }) => id === queueId && held !== undefined);

/** Starts a poll that waits; answers once the server holds it. */
export async function startPoll(
  { app, realm }: { app: RunningApp; realm: { id: number } },
  queue: Queue,
  init: RequestInit = {},
): Promise<{ answer: Promise<Answer> }> {
  const known = app.events.queuesIn(realm.id).find(({ id }) => id === queue.id)?.held;
  const answer = queue.poll({}, init);
  const isAnotherHeld = () => {
    const held = app.events.queuesIn(realm.id).find(({ id }) => id === queue.id)?.held;
    return held !== undefined && held !== known;
  };
  await until(isAnotherHeld);
  return { answer };
}
