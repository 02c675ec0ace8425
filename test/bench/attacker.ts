/**
 * The process of an attacker, apart from the one that measures: what it reads must not take that
 * one's time. It is told by lines on its input: first JSON with the name of the attack and its
 * scene, then `attack` or `burn`, and `rest`, by turns. It answers `prepared` to the first, and the
 * damage done as JSON to each `rest`. `burn` takes as much of the CPU as the last attack did, and
 * asks the server for nothing: the neighbours' times beside it are those that an attacker elsewhere
 * would leave them.
 */
import { createInterface } from "node:readline";
import { type Damage, keepStriking, type Scene } from "./attack";
import { attacks } from "./attacks";
import { attackFromElsewhere } from "./elsewhere";

attackFromElsewhere();
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function nextLine(): Promise<string | undefined> {
  const { value, done } = await lines.next();
  return done === true ? undefined : String(value);
}

const { name, scene } = JSON.parse((await nextLine()) ?? "{}") as { name: string; scene: Scene };
const strikes = await attacks[name]?.attack(scene);
if (strikes === undefined) throw new Error(`there is no attack ${name}`);
console.log("prepared");

const periodMs = 10;
const usedMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** Takes a share of a core, a little in each period. */
async function burn(share: number, isOn: () => boolean): Promise<void> {
  while (isOn()) {
    const endMs = performance.now() + periodMs;
    const before = process.cpuUsage();
    while (usedMs(before) < share * periodMs && performance.now() < endMs);
    await Bun.sleep(Math.max(1, endMs - performance.now()));
  }
}

let shareOfCore = 0;
for (let order = await nextLine(); order !== undefined; order = await nextLine()) {
  let isOn = true;
  const damage: Damage = { answered: 0, refused: 0, bytes: 0, cpuMs: 0 };
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  const done =
    order === "burn"
      ? burn(shareOfCore, () => isOn)
      : Promise.all(strikes.map((strike) => keepStriking(strike, () => isOn, damage)));
  if ((await nextLine()) === undefined) break;
  isOn = false;
  await done;
  damage.cpuMs = usedMs(before);
  if (order === "attack") shareOfCore = Math.min(1, damage.cpuMs / (performance.now() - startMs));
  console.log(JSON.stringify(damage));
}
process.exit(0);
