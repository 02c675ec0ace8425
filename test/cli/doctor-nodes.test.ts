import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { upload } from "../support/files";
import { chatd, clientOf, freshFolder, places, serve } from "./chatd";

/* `chatd admin doctor` beside nodes that lack files. */

const flagIn = (place: string[], flag: string) => place[place.indexOf(flag) + 1] ?? "";

async function examined(place: string[], env: Record<string, string> = {}) {
  const args = ["admin", "doctor", "--json", "--offline", ...place];
  const { stdout, stderr } = await chatd(args, { env });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).findings;
}

describe.each(places)("on $engine", ({ engine, provisioned }) => {
  test("files that the data names and the folder does not have are told", async () => {
    const { place, credentials } = await provisioned();
    const secret = readFileSync(join(flagIn(place, "--data"), "secret"), "utf8").trim();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    for (const name of ["one.txt", "two.txt"]) await upload(alice, name, `this is ${name}`);
    expect(await examined(place, { CHATD_SECRET: secret })).toEqual([]);
    const lacking = engine === "sqlite" ? place : ["--data", freshFolder(), ...place.slice(2)];
    const files = join(flagIn(lacking, "--data"), "files");
    rmSync(files, { recursive: true, force: true });
    const cause = engine === "sqlite" ? "they are lost" : "another node has them";
    expect(await examined(lacking, { CHATD_SECRET: secret })).toMatchObject([
      {
        trap: "files",
        what: expect.stringContaining(
          `2 of the 2 newest files of localhost are not in ${files}: ${cause}`,
        ),
        page: "docs/files.md",
      },
    ]);
    await server.stop();
  });
});
