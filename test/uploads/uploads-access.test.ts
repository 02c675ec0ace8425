import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { filesOf, open, readersOf, statusOf, storedRows, upload } from "../support/files";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

describe("A12: a file that a message links to", () => {
  test("is read by those who may read the message, and by nobody when it is deleted", async () => {
    const { alice, bob, carol, otto, greta, olga, zoe, channels } = world;
    const everybody = [bob, carol, otto, greta, olga, zoe];
    const url = await upload(alice);
    await alice.say("plans", "files", `[note](${url})`);
    expect(await readersOf(url, ...everybody)).toEqual([]);
    await alice.say("secret", "files", `[note](${url})`);
    expect(await readersOf(url, ...everybody)).toEqual(["Bob"]);
    await alice.tell([carol], `[note](${url})`);
    expect(await readersOf(url, ...everybody)).toEqual(["Bob", "Carol"]);
    await alice.say("general", "files", `[note](${world.site}${url})`);
    expect(await readersOf(url, ...everybody)).toEqual(["Bob", "Carol", "Otto", "Olga"]);
    await olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "files" });
    expect(await readersOf(url, alice, ...everybody)).toEqual(["Alice", "Bob", "Carol"]);
    await bob.ask("DELETE", "/users/me/subscriptions", { subscriptions: ["secret"] });
    expect(await readersOf(url, alice, ...everybody)).toEqual(["Alice", "Carol"]);
  });

  test("is answered alike when it is missing and when somebody may not read it, on every way to it", async () => {
    const { alice, bob, realm } = world;
    const url = await upload(alice);
    const nowhere = `/user_uploads/${realm.id}/${"x".repeat(32)}/note.txt`;
    const ask = async (path: string) => {
      const answer = await open(bob, path);
      return [answer.status, await answer.json()];
    };
    expect(await ask(url)).toEqual(await ask(nowhere));
    const [theirs, missing] = [await bob.get(url), await bob.get(nowhere)];
    expect([theirs.status, theirs.body]).toEqual([404, missing.body]);
  });

  test("counts only if its sender could read it: to know the address is not enough", async () => {
    const { alice, bob, carol } = world;
    const url = await upload(alice);
    const queue = await alice.register({ event_types: ["attachment"] });
    await bob.say("general", "files", `look: [note](${url})`);
    expect(await readersOf(url, bob, carol)).toEqual([]);
    expect(await queue.events()).toEqual([]);
    const first = await alice.say("secret", "files", `[note](${url})`);
    const second = await bob.say("general", "files", `> [note](${url}) and [note](${url})`);
    expect(await readersOf(url, bob, carol)).toEqual(["Bob", "Carol"]);
    const updates = await queue.events();
    expect(updates.map(({ op, attachment }) => [op, attachment.message_ids])).toEqual([
      ["update", [first]],
      ["update", [first, second]],
    ]);
    expect((await filesOf(alice)).attachments[0].message_ids).toEqual([first, second]);
  });

  test("is not shared by an address that stands in code or in no link", async () => {
    const { alice, bob } = world;
    const url = await upload(alice);
    await alice.say("general", "files", `\`[note](${url})\` and \`\`\`\n${url}\n\`\`\``);
    expect(await readersOf(url, bob)).toEqual([]);
  });

  test("is released with its message, and its owner is told", async () => {
    const { alice, bob, olga, channels } = world;
    const names = ["one.txt", "späce & ünï.txt"];
    const urls = [await upload(alice, names[0]), await upload(alice, names[1])];
    const kept = await alice.say("general", "kept", `[one](${urls[0]})`);
    await alice.say("general", "gone", `[one](${urls[0]}) [two](${urls[1]})`);
    expect(await readersOf(urls[1] ?? "", bob)).toEqual(["Bob"]);
    const [queue, others] = [
      await alice.register({ event_types: ["attachment"] }),
      await bob.register(),
    ];
    await olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "gone" });
    const updates = await queue.events();
    expect(
      updates.map(({ op, attachment }) => [op, attachment.name, attachment.message_ids]),
    ).toEqual([
      ["update", "one.txt", [kept]],
      ["update", "späce & ünï.txt", []],
    ]);
    expect((await others.events()).filter(({ type }) => type === "attachment")).toEqual([]);
    expect(await readersOf(urls[1] ?? "", alice, bob)).toEqual(["Alice"]);
    expect(await readersOf(urls[0] ?? "", bob)).toEqual(["Bob"]);
  });
});

test("K5: a file comes into a channel only with a message of somebody who may send there", async () => {
  const { bob, carol, greta } = world;
  for (const [person, channel] of [
    [bob, "plans"],
    [carol, "secret"],
    [greta, "general"],
  ] as const) {
    const url = await upload(person, "intruder.txt");
    const parameters = { type: "channel", to: channel, topic: "t", content: `[x](${url})` };
    expect((await person.post("/messages", parameters)).status).toBe(400);
    expect((await filesOf(person)).attachments.at(-1).message_ids).toEqual([]);
    expect(await readersOf(url, world.alice)).toEqual([]);
  }
  expect((await storedRows(world)).links).toEqual([]);
});

describe("what a browser makes of a file", () => {
  oneWorldForGroup();

  const answerFor = async (name: string) => {
    const { headers } = await open(
      world.alice,
      await upload(world.alice, name, "<script>alert(1)</script>"),
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
    return [headers.get("content-type"), headers.get("content-disposition")];
  };

  test.each([
    ["x.html", "text/html; charset=utf-8"],
    ["x.HTM", "text/html; charset=utf-8"],
    ["x.svg", "image/svg+xml"],
    ["x.xml", "application/xml"],
    ["x.xhtml", "application/xhtml+xml"],
    ["x.js", "application/octet-stream"],
    ["x.pdf", "application/pdf"],
    ["x.mht", "application/octet-stream"],
    ["x.png.exe", "application/octet-stream"],
    ["x", "application/octet-stream"],
    ["constructor", "application/octet-stream"],
    ["x.constructor", "application/octet-stream"],
  ])("F4: %s is downloaded, as %s", async (name, type) => {
    expect(await answerFor(name)).toEqual([type, `attachment; filename="${name}"`]);
  });

  test.each([
    ["x.png", "image/png"],
    ["x.JPG", "image/jpeg"],
    ["x.mp4", "video/mp4"],
    ["note.txt", "text/plain; charset=utf-8"],
  ])("F5: %s is shown as %s, from a list, and not as the uploader says", async (name, type) => {
    expect(await answerFor(name)).toEqual([type, `inline; filename="${name}"`]);
  });

  test("names beyond ASCII, and those with quotes, stand in the header as browsers read them", async () => {
    expect(await answerFor('so "naïve".png')).toEqual([
      "image/png",
      `inline; filename="so _na_ve_.png"; filename*=UTF-8''so%20%22na%C3%AFve%22.png`,
    ]);
    expect(await answerFor("50%25 off.png")).toEqual([
      "image/png",
      `inline; filename="50_25 off.png"; filename*=UTF-8''50%2525%20off.png`,
    ]);
  });

  test("it may keep a file, and asks each time whether it may show it", async () => {
    const { alice, bob } = world;
    const url = await upload(alice);
    const { headers } = await open(alice, url);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const again = { headers: { "if-none-match": headers.get("etag") ?? "" } };
    const unchanged = await open(alice, url, again);
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    const kept = ["etag", "cache-control"].map((name) => unchanged.headers.get(name));
    expect(kept).toEqual([headers.get("etag"), "private, no-cache"]);
    expect((await open(bob, url, again)).status).toBe(404);
    expect((await open(alice, url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });
});

describe("a temporary address", () => {
  test("opens without signing in, for a minute, as long as whoever got it may read the file", async () => {
    const { alice, bob, olga, anonymous, channels, clock } = world;
    const url = await upload(alice, "späce.txt");
    await alice.say("general", "files", `[x](${url})`);
    const { body } = await bob.get(url);
    expect(body.url).toMatch(/^\/user_uploads\/temporary\/[0-9a-f-]+\/späce\.txt$/);
    expect(await (await open(anonymous, body.url)).text()).toBe("hello");
    const head = await open(anonymous, body.url, { method: "HEAD" });
    const told = ["content-length", "cache-control"].map((name) => head.headers.get(name));
    expect([head.status, ...told, await head.text()]).toEqual([200, "5", "private, no-cache", ""]);
    const zoesWorld = await open(world.zoe, body.url);
    expect(zoesWorld.status).toBe(404);
    await olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "files" });
    expect(await statusOf(anonymous, body.url)).toBe(404);
    const { body: own } = await alice.get(url);
    expect(await statusOf(anonymous, own.url)).toBe(200);
    clock.advance(60);
    expect(await statusOf(anonymous, own.url)).toBe(404);
  });

  test("that was changed, made up, or is of somebody who was deactivated is worth nothing", async () => {
    const { alice, bob, anonymous, operator } = world;
    const [mine, his] = [await upload(alice), await upload(bob)];
    const { body } = await alice.get(mine);
    const [attachmentId, userId, expiresAt, seal] = body.url.split("/")[3].split("-");
    const forged = [
      [attachmentId, userId, Number(expiresAt) + 60, seal],
      [attachmentId + 1, userId, expiresAt, seal],
      [attachmentId, bob.id, expiresAt, seal],
      [attachmentId, userId, expiresAt, "0".repeat(64)],
      [attachmentId, userId, expiresAt, ""],
    ].map((parts) => `/user_uploads/temporary/${parts.join("-")}/note.txt`);
    for (const url of [...forged, "/user_uploads/temporary/x/note.txt"]) {
      expect([url, await statusOf(anonymous, url)]).toEqual([url, 404]);
    }
    expect((await alice.get(his)).status).toBe(404);
    expect(await statusOf(anonymous, body.url)).toBe(200);
    await deactivateUser(operator, alice.id);
    expect(await statusOf(anonymous, body.url)).toBe(404);
  });
});

describe("after a crash", () => {
  test("a row without its file is told as damage, and can be removed", async () => {
    const { alice } = world;
    const url = await upload(alice);
    rmSync(join(world.place.dataFolder, "files"), { recursive: true });
    expect(await statusOf(alice, url)).toBe(500);
    const [file] = (await filesOf(alice)).attachments;
    expect((await alice.delete(`/attachments/${file.id}`)).status).toBe(200);
    expect(await statusOf(alice, await upload(alice))).toBe(200);
  });

  test("a draft that nobody goes on with is removed after a day, one that is under way is not", async () => {
    await upload(world.alice);
    const drafts = join(world.place.dataFolder, "files/drafts");
    const now = world.clock.now();
    for (const [name, age] of [
      ["left", 86_401],
      ["fresh", 60],
    ] as const) {
      writeFileSync(join(drafts, name), "half of a file");
      utimesSync(join(drafts, name), now - age, now - age);
    }
    await world.app.files.tidy();
    expect(readdirSync(drafts)).toEqual(["fresh"]);
  });

  test("files are for the server's own account alone", async () => {
    await upload(world.alice);
    const folder = join(world.place.dataFolder, "files");
    for (const path of readdirSync(folder, { recursive: true }).map(String)) {
      expect([path, statSync(join(folder, path)).mode & 0o077]).toEqual([path, 0]);
    }
  });
});
