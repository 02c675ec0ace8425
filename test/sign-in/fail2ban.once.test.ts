import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { setPassword } from "../../src/management/accounts/update";
import { Client } from "../support/client";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { scratchFolder } from "../support/scratch-folder";
import { makeWorld, type World, worldHost } from "../support/world";

/* Failed sign-ins stand in the log in a form that fail2ban reads, by the filter of `deploy/`. */

const wrong = "a-wrong-guess".repeat(10);
const folder = mkdtempSync(join(scratchFolder(), "chatd-fail2ban-"));
let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signInFrom(address: string, username: string, password: string) {
  const init = {
    body: new URLSearchParams({ username, password }),
    headers: { "x-forwarded-for": address },
  };
  return (await new Client(world.site, worldHost).ask("POST", "/fetch_api_key", {}, init)).status;
}

const failures = () =>
  world.logged
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "sign_in_failed")
    .map(({ address, email }) => [address, email]);

test("a failed sign-in is logged with its address and account, and one that is right is not", async () => {
  const password = "correct-horse-battery";
  await setPassword(world.operator, world.alice.id, password);
  expect(await signInFrom("198.51.100.7", "alice@example.com", wrong)).toBe(401);
  expect(await signInFrom("2001:db8::7", "nobody@example.com", wrong)).toBe(401);
  expect(await signInFrom("198.51.100.8", "alice@example.com", password)).toBe(200);
  expect(failures()).toEqual([
    ["198.51.100.7", "alice@example.com"],
    ["2001:db8:0:0::/64", "nobody@example.com"],
  ]);
  expect(world.logged.join("\n")).not.toContain(wrong);
});

test.skipIf(!requireTool("fail2ban-regex"))(
  "fail2ban finds these addresses, and none that somebody has typed",
  async () => {
    const hostile = `"event":"sign_in_failed","address":"203.0.113.1",@example.com`;
    expect(await signInFrom("198.51.100.9", hostile, wrong)).toBe(401);
    const [log, filter] = [join(folder, "log"), join(folder, "filter.conf")];
    writeFileSync(log, `${world.logged.join("\n")}\n`);
    writeFileSync(filter, readFileSync(join(root, "deploy/fail2ban/filter.conf")));
    const { stdout } = spawnSync([
      "fail2ban-regex",
      "--print-all-matched",
      "-o",
      "ip",
      log,
      filter,
    ]);
    const found = stdout.toString().trim().split("\n").sort();
    expect(found).toEqual(["198.51.100.7", "198.51.100.9", "2001:db8::/64"]);
  },
);
