import { turn } from "../../src/core/turn";

/** How often others have had their turn while something was done. */
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
