import { afterAll, describe, expect, test } from "bun:test";
import { type Message, readAll, slackImports } from "../support/archives/slack-import";
import { movingGif, staticPng } from "../support/pictures";

const { remove, imported } = slackImports();
afterAll(remove);

const flags = { outbound_networks_allowed: "127.0.0.1" };

/** Pictures as Slack gives them out to everybody who has their address. */
function startSlack() {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname === "/ann.png") return new Response(staticPng);
      if (pathname === "/parrot.gif") return new Response(movingGif);
      if (pathname === "/text.png") return new Response("no picture");
      return new Response("gone", { status: 404 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, close: () => server.stop(true) };
}

const person = (id: string, name: string, profile: object) => ({
  id,
  name,
  is_primary_owner: id === "U1",
  is_owner: id === "U1",
  profile: { real_name: name, email: `${name.toLowerCase()}@example.com`, ...profile },
});

const says = (ts: string, text: string, more: object = {}) => ({
  type: "message",
  user: "U1",
  ts,
  text,
  ...more,
});

describe("The pictures and profiles of a workspace of Slack", () => {
  test("are its own emoji, in texts and reactions, also by their aliases", async () => {
    const slack = startSlack();
    const {
      world,
      report,
      person: named,
    } = await imported(
      {
        "emoji.json": {
          "party+parrot": `${slack.url}/parrot.gif`,
          dance: "alias:jig",
          jig: "alias:party+parrot",
          round: "alias:rounder",
          rounder: "alias:round",
          yes: "alias:+1",
          lost: `${slack.url}/lost.png`,
          text: `${slack.url}/text.png`,
          é: `${slack.url}/parrot.gif`,
        },
        "general/2020-09-14.json": [
          says("1600081200.000100", "look :dance: :lost:", {
            reactions: ["dance", "yes", "lost", "round"].map((name) => ({ name, users: ["U2"] })),
          }),
        ],
      },
      flags,
    );
    const { emoji } = (await named("ann")?.get("/realm/emoji"))?.body ?? {};
    const [parrot] = Object.values(emoji as Record<string, Message>);
    expect(Object.keys(emoji)).toHaveLength(1);
    expect(parrot).toMatchObject({ name: "party_parrot", deactivated: false });
    const picture = await named("ann")?.open(String(parrot?.["source_url"]));
    expect(new Uint8Array((await picture?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(movingGif);
    const source = (await readAll(named("ann"))).find(({ content }) =>
      String(content).startsWith("look"),
    );
    expect(source?.["content"]).toBe("look :party_parrot: :lost:");
    const reactions = ((source?.["reactions"] ?? []) as Message[]).map((one) => [
      one["emoji_name"],
      one["reaction_type"],
    ]);
    expect(reactions).toEqual([
      ["party_parrot", "realm_emoji"],
      ["+1", "unicode_emoji"],
    ]);
    const html = (await readAll(named("ann"), false)).map(({ content }) => String(content));
    expect(html.join("")).toContain(`src="${parrot?.["source_url"]}"`);
    expect(report.skipped).toMatchObject({
      "emoji: cannot be fetched: the answer was 404": 1,
      "emoji: are no pictures": 1,
      "emoji: have no name, or one that is taken": 1,
      "reactions: have an unknown emoji": 2,
    });
    await world.close();
    await slack.close();
  });

  test("are the avatars that people chose, and what they tell of themselves", async () => {
    const slack = startSlack();
    const {
      world,
      report,
      person: named,
    } = await imported(
      {
        "users.json": [
          person("U1", "Ann", {
            title: "Cook",
            phone: "+49 30 1234567",
            image_512: `${slack.url}/ann.png`,
            is_custom_image: true,
            fields: { X1: { value: "Berlin", label: "Office" }, X2: { value: "secret" } },
          }),
          person("U2", "Ben", { title: "t".repeat(60), image_512: `${slack.url}/made-up.png` }),
          person("U4", "Dot", {}),
        ],
      },
      flags,
    );
    expect(slack.asked).toEqual(["/ann.png"]);
    const ann = named("ann");
    const { members } =
      (await ann?.get("/users", { include_custom_profile_fields: true }))?.body ?? {};
    const { custom_fields } = (await ann?.get("/realm/profile_fields"))?.body ?? {};
    const fields = custom_fields as Message[];
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ["Title", 2],
      ["Phone number", 1],
      ["Office", 1],
    ]);
    const known = (name: string) => (members as Message[]).find((one) => one["full_name"] === name);
    const told = (name: string) =>
      fields.map(({ id }) => {
        const data = known(name)?.["profile_data"] as Record<string, Message> | undefined;
        return data?.[String(id)]?.["value"];
      });
    expect(told("Ann")).toEqual(["Cook", "+49 30 1234567", "Berlin"]);
    expect(told("Ben")).toEqual(["t".repeat(60), undefined, undefined]);
    const avatar = await ann?.open(String(known("Ann")?.["avatar_url"]));
    expect([avatar?.status, avatar?.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(report.skipped["profile fields: have no name"]).toBe(1);
    await world.close();
    await slack.close();
  });

  test("are not asked for any more once five in a row were not given out", async () => {
    const slack = startSlack();
    const emoji = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [`e${index}`, `${slack.url}/e${index}.png`]),
    );
    const { world, report } = await imported({ "emoji.json": emoji }, flags);
    expect(slack.asked).toHaveLength(5);
    expect(report.skipped).toMatchObject({
      "emoji: cannot be fetched: the answer was 404": 5,
      "emoji: were not fetched, because several before them could not be fetched": 2,
    });
    await world.close();
    await slack.close();
  });

  test("pins are named in the report, and descriptions have no markup of Slack", async () => {
    const channel = {
      id: "C1",
      name: "general",
      created: 1_599_000_000,
      members: ["U1"],
      is_general: true,
      purpose: { value: "For <#C2|old-stuff> &amp; <https://x.example.com|more>" },
      topic: { value: "*soup*\nday" },
      pins: [{ id: "1600081200.000100", type: "C" }],
    };
    const { world, told, person: named } = await imported({ "channels.json": [channel] });
    const { streams } = (await named("ann")?.get("/streams"))?.body ?? {};
    const general = (streams as Message[]).find(({ name }) => name === "general");
    expect(general?.["description"]).toBe(
      "For #**old-stuff** & [more](https://x.example.com) – **soup** day",
    );
    expect(told).toContainEqual({
      what: "pins",
      which: "general 1600081200.000100",
      why: "are not kept: stars are each person's",
    });
    await world.close();
  });
});
