import type { ExecutableStage } from "./executable";

/*
 * Talk for the budget: messages as people write them, and the cost of what the page does with them.
 */

/**
 * The least of some costs, because whoever else uses the machine empties its caches, and equal work
 * takes the main thread longer then.
 */
export const least = (costs: readonly number[]): number => Math.min(...costs);

const plain =
  "Words of everyday length with **bold** ones and a [link](https://example.com) among them.";
/** One message in five is one of these, which take the server longer. */
const contents = [
  "```python\nfor index in range(10):\n    print(index)\n```",
  "| what | when |\n|---|---|\n| soup | noon |\n| cake | four |",
  "* one\n* two\n* three, with `code` and :tada:",
  "Yes.",
  "As in $$E = mc^2$$, roughly.",
];

/** Sends a message of Bob's; answers its id. */
export async function say(on: ExecutableStage, topic: string, number = 0): Promise<number> {
  const content = `${number}: ${number % 5 === 0 ? contents[(number / 5) % contents.length] : plain}`;
  const message = { type: "channel", to: "general", topic, content };
  return (await on.client("bob").post("/messages", message)).body.id;
}

const atATime = 50;

/** Sends at least so many messages of Bob's; answers the id of the last one. */
export async function sayMany(on: ExecutableStage, topic: string, count: number): Promise<number> {
  for (let sent = 0; sent < count; sent += atATime)
    await Promise.all(Array.from({ length: atATime }, (_, index) => say(on, topic, sent + index)));
  return say(on, topic, count);
}

/** An expression that holds in a page when a message is drawn. */
export const drawn = (id: number): string =>
  `document.querySelector('[data-id="${id}"] .rendered')`;
