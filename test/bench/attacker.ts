/**
 * The process of an attacker, apart from the one that measures: what it reads must not take that
 * one's time. It is told by lines on its input: first JSON with the name of the attack and its
 * scene, then `attack` and `rest` by turns. It answers `prepared` to the first, and the damage done
 * as JSON to each `rest`.
 */
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { type Damage, keepStriking, type Scene } from "./attack";
import { attacks } from "./attacks";

/** Attackers sit elsewhere: here they get what the server and those who measure leave them. */
const lowestPriority = 19;

setPriority(lowestPriority);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function nextLine(): Promise<string | undefined> {
  const { value, done } = await lines.next();
  return done === true ? undefined : String(value);
}

const { name, scene } = JSON.parse((await nextLine()) ?? "{}") as { name: string; scene: Scene };
const strikes = await attacks[name]?.attack(scene);
if (strikes === undefined) throw new Error(`there is no attack ${name}`);
console.log("prepared");

while ((await nextLine()) === "attack") {
  let isOn = true;
  const damage: Damage = { answered: 0, refused: 0, bytes: 0 };
  const done = Promise.all(strikes.map((strike) => keepStriking(strike, () => isOn, damage)));
  if ((await nextLine()) === undefined) break;
  isOn = false;
  await done;
  console.log(JSON.stringify(damage));
}
process.exit(0);
