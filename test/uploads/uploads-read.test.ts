import { describe, expect, test } from "bun:test";
import type { Client } from "../support/client";
import {
  filesOf,
  formOf,
  open,
  readersOf,
  send,
  statusOf,
  storedFiles,
  upload,
} from "../support/files";
import { bombPng, movingGif, paint, photograph, secretPlace, staticPng } from "../support/pictures";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

const uploadBytes = async (
  person: Person,
  name: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<string> => (await send(person, formOf(name, content))).body.url;

describe("a range of a file", () => {
  oneWorldForGroup();

  const digits = "0123456789";
  const ask = async (url: string, range: string, more: Record<string, string> = {}) => {
    const answer = await open(world.alice, url, { headers: { range, ...more } });
    const text = answer.status < 300 ? await answer.text() : "";
    return [answer.status, answer.headers.get("content-range"), text];
  };

  let uploaded: Promise<string> | undefined;
  const urlOfDigits = () => (uploaded ??= upload(world.alice, "digits.txt", digits));

  test.each([
    ["bytes=2-4", 206, "bytes 2-4/10", "234"],
    ["bytes=0-0", 206, "bytes 0-0/10", "0"],
    ["bytes=7-", 206, "bytes 7-9/10", "789"],
    ["bytes=7-99", 206, "bytes 7-9/10", "789"],
    ["bytes=-3", 206, "bytes 7-9/10", "789"],
    ["Bytes=-3", 206, "bytes 7-9/10", "789"],
    ["bytes=-99", 206, "bytes 0-9/10", digits],
    ["bytes=10-", 416, "bytes */10", ""],
    ["bytes=-0", 416, "bytes */10", ""],
    ["bytes=4-2", 200, null, digits],
    ["bytes=0-1,3-4", 200, null, digits],
    ["lines=1-2", 200, null, digits],
    ["bytes=-", 200, null, digits],
    ["bytes=1-99999999999999999999", 200, null, digits],
  ])("%s is answered with %d", async (range, status, told, text) => {
    expect(await ask(await urlOfDigits(), range)).toEqual([status, told, text]);
  });

  test("is sent only of the file that somebody has the rest of", async () => {
    const { alice, bob } = world;
    const url = await upload(alice, "digits.txt", digits);
    const { headers } = await open(alice, url);
    const [etag = "", changed = ""] = [
      headers.get("etag") ?? "",
      headers.get("last-modified") ?? "",
    ];
    expect([headers.get("accept-ranges"), Date.parse(changed)]).toEqual([
      "bytes",
      world.clock.now() * 1_000,
    ]);
    for (const known of [etag, changed])
      expect((await ask(url, "bytes=1-2", { "if-range": known }))[0]).toBe(206);
    expect(await ask(url, "bytes=1-2", { "if-range": '"other"' })).toEqual([200, null, digits]);
    expect(await statusOf(bob, url)).toBe(404);
    const theirs = await open(bob, url, { headers: { range: "bytes=1-2" } });
    expect(theirs.status).toBe(404);
    const head = await open(alice, url, { method: "HEAD", headers: { range: "bytes=1-2" } });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      "10",
      "",
    ]);
    const notSince = await open(alice, url, { headers: { "if-modified-since": changed } });
    expect(notSince.status).toBe(304);
    const several = await open(alice, url, { headers: { "if-none-match": `"x", W/${etag}` } });
    expect(several.status).toBe(304);
  });

  test("F4: may be asked of its download too, which no browser shows", async () => {
    const { alice, bob } = world;
    const url = (await upload(alice, "digits.txt", digits)).replace(
      "/user_uploads/",
      "/user_uploads/download/",
    );
    const { status, headers } = await open(alice, url, { headers: { range: "bytes=0-1" } });
    expect([status, headers.get("content-disposition")]).toEqual([
      206,
      'attachment; filename="digits.txt"',
    ]);
    expect(await statusOf(bob, url)).toBe(404);
  });

  test("keeps what every answer with a file says to browsers", async () => {
    const url = await upload(world.alice, "x.html", "<script>alert(1)</script>");
    const { status, headers } = await open(world.alice, url, { headers: { range: "bytes=0-7" } });
    const told = ["content-disposition", "x-content-type-options"].map((name) => headers.get(name));
    expect([status, ...told]).toEqual([206, 'attachment; filename="x.html"', "nosniff"]);
    expect(headers.get("content-security-policy")).toStartWith("sandbox;");
  });
});

const thumbnailOf = (url: string) => url.replace("/user_uploads/", "/user_uploads/thumbnail/");

const shownIn = async (id: number): Promise<string> =>
  (await world.alice.get(`/messages/${id}`)).body.message.content;

describe("a picture in a message", () => {
  test("is shown in a smaller form, with the size of the original, to whoever may read the message", async () => {
    const { alice, bob, otto, greta, anonymous } = world;
    const url = await uploadBytes(
      alice,
      "soup.png",
      paint(1_200, 600, () => [10, 20, 200]),
    );
    const thumbnail = url.replace("/user_uploads/", "/user_uploads/thumbnail/");
    const id = await alice.say("general", "soup", `[soup](${url})`);
    expect(await shownIn(id)).toBe(
      `<p><a href="${url}">soup</a></p>\n<div class="message_inline_image"><a href="${url}" title="soup">` +
        `<img data-original-content-type="image/png" data-original-dimensions="1200x600" src="${thumbnail}/840x560.webp"></a></div>`,
    );
    const inline = await alice.say("general", "soup", `so ![soup](${url})`);
    expect(await shownIn(inline)).toContain(
      `class="inline-image" data-original-content-type="image/png" data-original-dimensions="1200x600" data-original-src="${url}" src="${thumbnail}/840x560.webp"`,
    );
    const answer = await open(bob, `${thumbnail}/840x560.webp`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const { width, height, format } = await new Bun.Image(await answer.arrayBuffer()).metadata();
    expect([width, height, format]).toEqual([840, 420, "webp"]);
    expect(await readersOf(`${thumbnail}/300x200.webp`, alice, bob, otto, greta)).toEqual([
      "Alice",
      "Bob",
      "Otto",
    ]);
    expect(await statusOf(anonymous, `${thumbnail}/840x560.webp`)).toBe(401);
    expect(await statusOf(bob, `${thumbnail}/9000x9000.webp`)).toBe(404);
    expect(await statusOf(bob, thumbnail)).toBe(404);
    expect(storedFiles(world)).toHaveLength(3);
    await alice.delete(`/attachments/${(await filesOf(alice)).attachments[0].id}`);
    expect([storedFiles(world), await statusOf(alice, `${thumbnail}/840x560.webp`)]).toEqual([
      [],
      404,
    ]);
  });
});

describe("a picture in a message", () => {
  oneWorldForGroup();

  test("has thumbnails, which whoever may read it can ask; another file has none", async () => {
    const { alice, bob, greta, anonymous } = world;
    const picture = await uploadBytes(alice, "soup.png", staticPng);
    const note = await upload(alice, "note.txt", "hello");
    await alice.say("general", "soup", `[soup](${picture}) and [note](${note})`);
    const statusFor = (client: Client, url: string) =>
      client.get(url.replace("/user_uploads/", "/thumbnail/status/"));
    for (const person of [alice, bob]) {
      expect((await statusFor(person, picture)).body).toMatchObject({ has_thumbnail: true });
      expect((await statusFor(person, note)).body).toMatchObject({ has_thumbnail: false });
    }
    expect((await statusFor(greta, picture)).status).toBe(404);
    expect((await statusFor(anonymous, picture)).status).toBe(401);
    expect((await statusFor(alice, `${picture}x`)).status).toBe(404);
  });

  test("tells of its size only where whoever writes may read it", async () => {
    const { alice, bob } = world;
    const url = await uploadBytes(alice, "secret.png", staticPng);
    const id = await bob.say("general", "soup", `[x](${url})`);
    expect(await shownIn(id)).not.toContain("dimensions");
    expect(
      await statusOf(
        bob,
        `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`,
      ),
    ).toBe(404);
  });

  test.each(["see #, it is good", "see #.", "#: soup", "**#**", "~~#~~", "(see #!)"])(
    "is shown where its address stands in a sentence: %s",
    async (text) => {
      const { alice, realm } = world;
      for (const name of ["soup.png", "Möhren_1.png", "a.b.png"]) {
        const url = await uploadBytes(alice, name, staticPng);
        const id = await alice.say(
          "general",
          "soup",
          text.replace("#", `https://${realm.host}${url}`),
        );
        expect(await shownIn(id)).toContain(`src="${thumbnailOf(url)}/840x560.webp"`);
      }
    },
  );

  test("is shown only where there is one that whoever writes may read; of others there is the link", async () => {
    const { alice, bob } = world;
    const url = await uploadBytes(alice, "soup.png", staticPng);
    const film = await uploadBytes(alice, "soup.mp4", staticPng);
    for (const there of [url, film, `https://${world.realm.host}${url}`]) {
      expect(await shownIn(await alice.say("general", "soup", `[x](${there})`))).toContain(
        "message_inline_image",
      );
    }
    const elsewhere = url.replace("soup.png", "salad.png");
    for (const missing of [
      elsewhere,
      "/user_uploads/1/x/cat.mp4",
      "/user_uploads/x.png",
      "/user_uploads/1/a b.png",
    ]) {
      const html = `<p><a href="${encodeURI(missing)}">x</a></p>`;
      expect(await shownIn(await alice.say("general", "soup", `[x](${missing})`))).toBe(html);
      expect(await shownIn(await alice.say("general", "soup", `![x](${missing})`))).toBe(html);
    }
    const hidden = await uploadBytes(alice, "hidden.png", staticPng);
    const id = await bob.say("general", "soup", `[x](${hidden})`);
    expect(await shownIn(id)).toBe(`<p><a href="${hidden}">x</a></p>`);
    const own = await alice.say("general", "soup", `[x](${elsewhere})`);
    await alice.patch(`/messages/${own}`, { content: `[x](${hidden})` });
    expect(await shownIn(own)).toContain("message_inline_image");
    const secret = (await filesOf(alice)).attachments.find(
      ({ name }: { name: string }) => name === "hidden.png",
    );
    await alice.delete(`/attachments/${secret.id}`);
    expect(
      (await alice.post("/messages/render", { content: `![x](${hidden})` })).body.rendered,
    ).toBe(`<p><a href="${hidden}">x</a></p>`);
  });

  test("that moves is shown in its original form, and still where it is to be still", async () => {
    const { alice } = world;
    const url = await uploadBytes(alice, "cat.gif", movingGif);
    const thumbnail = url.replace("/user_uploads/", "/user_uploads/thumbnail/");
    const id = await alice.say("general", "cat", `[cat](${url})`);
    expect(await shownIn(id)).toContain(
      `<img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="1x1" src="${thumbnail}/840x560-anim.webp">`,
    );
    const moving = await open(alice, `${thumbnail}/840x560-anim.webp`);
    expect([
      moving.headers.get("content-type"),
      new Uint8Array(await moving.arrayBuffer()),
    ]).toEqual(["image/gif", movingGif]);
    expect((await open(alice, `${thumbnail}/840x560.webp`)).headers.get("content-type")).toBe(
      "image/webp",
    );
  });

  test("G7, G6: an SVG, and what only calls itself a picture, is shown by nobody's thumbnail", async () => {
    const { alice } = world;
    for (const [name, content] of [
      ["x.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
      ["x.png", "<script>alert(1)</script>"],
      ["x.gif", "GIF89a"],
    ] as const) {
      const url = await upload(alice, name, content);
      const id = await alice.say("general", "x", `[x](${url})`);
      expect(await shownIn(id)).not.toContain("thumbnail");
      const thumbnail = url.replace("/user_uploads/", "/user_uploads/thumbnail/");
      expect(await statusOf(alice, `${thumbnail}/840x560.webp`)).toBe(404);
    }
  });

  test("H8: one that would unpack huge is refused by its head, and nothing of it is decoded", async () => {
    const { alice } = world;
    const url = await uploadBytes(alice, "bomb.png", bombPng());
    expect(url).toEndWith("/bomb.png");
    const before = process.memoryUsage().rss;
    const thumbnail = url.replace("/user_uploads/", "/user_uploads/thumbnail/");
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => statusOf(alice, `${thumbnail}/840x560.webp`)),
    );
    expect(new Set(asked)).toEqual(new Set([404]));
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1_048_576);
    expect(await shownIn(await alice.say("general", "x", `[x](${url})`))).not.toContain(
      "thumbnail",
    );
  });

  test("says nothing in its smaller form of where it was taken", async () => {
    const { alice } = world;
    const url = await uploadBytes(alice, "photo.jpg", Uint8Array.from(await photograph(900, 600)));
    const answer = await open(
      alice,
      `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`,
    );
    const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
    expect([answer.status, text.includes(secretPlace), text.includes("EXIF")]).toEqual([
      200,
      false,
      false,
    ]);
  });

  test("is announced to clients in all its forms", async () => {
    const { state } = await world.alice.register();
    expect(state["server_thumbnail_formats"].map(({ name }: { name: string }) => name)).toEqual([
      "840x560.webp",
      "840x560-anim.webp",
      "300x200.webp",
    ]);
  });
});

test("An organization's files take no more room together than the operator allows, however they come", async () => {
  const small = await makeWorld({ upload_quota_mib: "1" });
  const half = new Uint8Array(600_000);
  const { alice, bob, zoe } = small;
  expect((await send(alice, formOf("a.bin", half))).status).toBe(200);
  const { status, body } = await send(bob, formOf("b.bin", half));
  expect([status, body.code]).toEqual([400, "REALM_UPLOAD_QUOTA"]);
  expect((await send(zoe, formOf("z.bin", half))).status).toBe(200);
  const together = await Promise.all(
    [1, 2, 3].map(() => send(alice, formOf("c.bin", new Uint8Array(300_000)))),
  );
  expect(together.map((answer) => answer.status).toSorted()).toEqual([200, 400, 400]);
  const { attachments, upload_space_used: used } = await filesOf(alice);
  expect([used, attachments.length]).toEqual([900_000, 2]);
  expect((await alice.register()).state["realm_upload_quota_mib"]).toBe(1);
  await alice.delete(`/attachments/${attachments[0].id}`);
  expect((await send(bob, formOf("b.bin", half))).status).toBe(200);
  expect(storedFiles(small)).toHaveLength(3);
  await small.close();
});
