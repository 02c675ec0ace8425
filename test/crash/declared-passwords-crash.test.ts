import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder, mustChatd, serveCommand, waitFor } from "../cli/chatd";
import { Client } from "../support/client";
import { startServer } from "../support/processes/server-process";

const personCount = 12;
const passwordOf = (number: number) => `correct-horse-battery-${number}`;

const organization = () => {
  const people = Array.from({ length: personCount }, (_, number) => {
    const role = number === 0 ? "owner" : "member";
    return `  - {email: p${number}@example.com, name: P${number}, role: ${role}, password: ${passwordOf(number)}}`;
  });
  return `realm: {name: Acme, host: localhost}\nusers:\n${people.join("\n")}\n`;
};

const signIn = async (site: string, number: number) => {
  const known = { username: `p${number}@example.com`, password: passwordOf(number) };
  return (await new Client(site, "localhost").post("/fetch_api_key", known)).status;
};

test("declared passwords work after a kill -9 right after the first answer, whether or not they are declared again", async () => {
  const folder = freshFolder();
  const [data, file] = [join(folder, "data"), join(folder, "org.yaml")];
  writeFileSync(file, organization());
  const first = await startServer([...serveCommand, "--data", data, "--apply", file]).ready();
  expect(await signIn(first.site, personCount - 1)).toBe(200);
  await first.kill();
  const second = await startServer([...serveCommand, "--data", data]).ready();
  const numbers = Array.from({ length: personCount }, (_, number) => number);
  for (const number of numbers) expect(await signIn(second.site, number)).toBe(200);
  const jobs = async () =>
    (await mustChatd(["admin", "jobs", "list", "--data", data, "--json"])).json().jobs;
  await waitFor(async () => ((await jobs()).length === 0 ? true : undefined), 20_000);
  await second.kill();
  const third = await startServer([...serveCommand, "--data", data, "--apply", file]).ready();
  expect(await signIn(third.site, 0)).toBe(200);
  await third.kill();
});
