import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openPrivateFile } from "../../cli/credentials-file";
import { freshFolder } from "./chatd";

test("a command that is killed before it has written its secrets leaves no draft beside them", () => {
  const folder = freshFolder();
  const path = join(folder, "credentials.json");
  const file = openPrivateFile(path);
  expect(readdirSync(folder)).toEqual([]);
  file.write({ realm: "Acme" });
  file.discard();
  expect(readdirSync(folder)).toEqual(["credentials.json"]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ realm: "Acme" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
