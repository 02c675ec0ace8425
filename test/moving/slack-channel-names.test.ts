import { afterAll, expect, test } from "bun:test";
import { dumpOrganization } from "../../src/moving/organization/dump";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { readAll, slackImports } from "../support/archives/slack-import";

const { remove, imported } = slackImports();
afterAll(remove);

test("channels of Slack with long names get names that channels may have, each its own", async () => {
  const long = "a-name-of-a-channel-".repeat(4);
  const channel = (id: string, name: string) => ({
    id,
    name,
    created: 1_599_000_000,
    creator: "U1",
    members: ["U1"],
    purpose: { value: "" },
    topic: { value: "" },
  });
  const says = (text: string) => [{ type: "message", user: "U1", ts: "1600081200.000100", text }];
  const [first, second] = [`${long.slice(0, 79)}1`, `${long.slice(0, 79)}2`];
  const { world, report, told, person } = await imported({
    "channels.json": [channel("C1", "general"), channel("C8", first), channel("C9", second)],
    [`${first}/2020-09-14.json`]: says("see <#C9>"),
    [`${second}/2020-09-14.json`]: says("in the second"),
  });
  expect(first).toHaveLength(80);
  const messages = (await readAll(person("ann"))).filter(({ type }) => type === "stream");
  const shown = (text: string) => messages.find(({ content }) => content === text);
  const names = [long.slice(0, 60), `${long.slice(0, 56)} (2)`];
  expect(shown(`see #**${names[1]}**`)?.["display_recipient"]).toBe(names[0]);
  expect(shown("in the second")?.["display_recipient"]).toBe(names[1]);
  expect(told.filter(({ what }) => what === "channels").map(({ which }) => which)).toEqual([
    first,
    second,
  ]);
  if (!report.realm) throw new Error("Nothing was imported.");
  const { text } = await dumpOrganization(world.app, report.realm, undefined);
  const { declaration } = parseDeclaration({ name: "org.yaml", text });
  expect(declaration.channels.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  await world.close();
});
