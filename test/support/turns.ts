import { turn } from "../../src/core/turns/turn";

/** Number of turns that others have had while a function ran. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turns++) await turn();
  };
  const counted = count();
  await work();
  isOver = true;
  await counted;
  return turns;
}
