import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { root } from "../support/root";
import { freshFolder, mustChatd } from "./chatd";

/* The version comes from the tags of the repository, and the executable tells it. */

/** A checkout of its own with the script that says the version. */
function freshCheckout() {
  const folder = freshFolder();
  const script = join(folder, "deploy/release/version.sh");
  mkdirSync(join(folder, "deploy/release"), { recursive: true });
  copyFileSync(join(root, "deploy/release/version.sh"), script);
  const git = (...words: string[]) => {
    const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
    const { exitCode, stderr } = spawnSync(["git", "-C", folder, ...who, ...words]);
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  };
  const commit = (text: string) => {
    writeFileSync(join(folder, "file"), text);
    git("add", ".");
    git("commit", "--quiet", "-m", text);
  };
  return {
    git,
    commit,
    change: (text: string) => writeFileSync(join(folder, "file"), text),
    version: () => spawnSync(["sh", script]).stdout.toString().trim(),
  };
}

test("a version is that of the tag, and tells commits and changes after it", () => {
  const { git, commit, change, version } = freshCheckout();
  expect(version()).toBe("0.0.0-dev");
  git("init", "--quiet");
  expect(version()).toBe("0.0.0-dev");
  commit("one");
  expect(version()).toMatch(/^0\.0\.0-dev\+g[0-9a-f]{12}$/);
  git("tag", "not-a-version");
  expect(version()).toMatch(/^0\.0\.0-dev\+g[0-9a-f]{12}$/);
  git("tag", "v1.2.0-rc.1");
  expect(version()).toBe("1.2.0-rc.1");
  commit("two");
  git("tag", "-a", "-m", "the release", "v1.2.0");
  expect(version()).toBe("1.2.0");
  change("changed");
  expect(version()).toMatch(/^1\.2\.0\+0\.g[0-9a-f]{12}\.dirty$/);
  commit("three");
  expect(version()).toMatch(/^1\.2\.0\+1\.g[0-9a-f]{12}$/);
});

test("chatd --version tells version, commit, its day and the schema of its data", async () => {
  const { stdout } = await mustChatd(["--version"]);
  expect(stdout).toMatch(
    /^chatd \d+\.\d+\.\d+\S* \((?:from its sources|commit [0-9a-f]{12}(?:-dirty)?, \d{4}-\d\d-\d\d), schema \d+\)\n$/,
  );
});

test("the changelog's sections are the next version and those before it, each with its day", () => {
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
  expect(headings[0]).toBe("Unreleased");
  for (const heading of headings.slice(1))
    expect(heading).toMatch(/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)? \(\d{4}-\d\d-\d\d\)$/);
});
