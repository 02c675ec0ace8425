import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { integrations, plainIntegrations } from "../../src/bots/incoming-webhooks/catalog";
import { root } from "../support/root";
import { webhookPosts } from "../support/servers/webhook-posts/all";

test("docs/webhooks.md lists each service, its name, and whether it signs", () => {
  const page = readFileSync(join(root, "docs/webhooks.md"), "utf8");
  const rows = [...page.matchAll(/^\| ([^|]+) \| `(\w+)` \| ([^|]+) \|$/gm)].map(
    ([, title, name, signedBy]) => ({ title, name, isSigned: signedBy !== "–" }),
  );
  const services = [...integrations.values()].map(({ title, name, signature }) => ({
    title,
    name,
    isSigned: signature !== undefined,
  }));
  const plain = Object.values(plainIntegrations);
  const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
    String(one.name).localeCompare(String(other.name));
  expect(rows.filter(({ name }) => !plain.some((one) => one === name)).sort(byName)).toEqual(
    services.sort(byName),
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(plain));
});

test("README.md counts the services that it does not name, in tens", () => {
  const page = readFileSync(join(root, "README.md"), "utf8");
  const counts = [...page.matchAll(/(GitHub, [^|]*?)(?:,| and) over (\d+) others/g)].map(
    ([, named = "", count]) => [integrations.size - named.split(/, | and /).length, Number(count)],
  );
  expect(counts.map(([others = 0]) => Math.floor(others / 10) * 10)).toEqual(
    counts.map(([, count]) => count ?? 0),
  );
  expect(counts.length).toBe(2);
});

test("each service has posts that are tried", () => {
  const tried = new Set(webhookPosts.map(({ integration }) => integration));
  expect([...tried].sort()).toEqual([...integrations.keys()].sort());
});
