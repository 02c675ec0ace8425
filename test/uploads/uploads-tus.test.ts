import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tidyStray } from "../../src/files/stray";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { setPassword } from "../../src/management/accounts/update";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { tidyResumable } from "../../src/uploads/resumable";
import { Browser } from "../support/browser";
import { verify } from "../support/client-state/verify";
import { filesOf, headersOf, open, statusOf, storedFiles, storedRows } from "../support/files";
import { until } from "../support/polls";
import { bytesOf, tusUpload, tusUrlAt, uploadWhole } from "../support/tus";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ max_file_upload_size_mib: "64", upload_quota_mib: "160" });
});
afterEach(() => world.close());

const mib = 1_048_576;

/** Asks as a client of the protocol does. */
const ask = (
  person: Person,
  path: string,
  method: string,
  headers: Record<string, string> = {},
  body?: BodyInit,
) =>
  fetch(path.startsWith("http") ? path : `${person.site}/api/v1${path}`, {
    method,
    headers: { ...headersOf(person), "tus-resumable": "1.0.0", ...headers },
    ...(body === undefined ? {} : { body }),
  });

const begin = async (person: Person, length: number, name = "note.txt") => {
  const metadata = `filename ${Buffer.from(name).toString("base64")}`;
  const answer = await ask(person, "/tus", "POST", {
    "upload-length": String(length),
    "upload-metadata": metadata,
  });
  return { answer, url: tusUrlAt(person, answer.headers.get("location")) };
};

const bytesType = { "content-type": "application/offset+octet-stream" };
const patch = (person: Person, url: string, offset: number, body: BodyInit) =>
  ask(person, url, "PATCH", { ...bytesType, "upload-offset": String(offset) }, body);

describe("a resumable upload", () => {
  test("becomes a file like any other, with either spelling of the address", async () => {
    const { alice, bob, anonymous, realm, clock } = world;
    const [queue, others] = [await alice.register(), await bob.register()];
    const content = bytesOf(3 * mib + 17);
    const { url, filename } = await uploadWhole(alice, content);
    expect([filename, url]).toEqual([
      "bytes.bin",
      expect.stringMatching(new RegExp(`^/user_uploads/${realm.id}/[A-Za-z0-9]{32}/bytes.bin$`)),
    ]);
    const read = new Uint8Array(await (await open(alice, url)).arrayBuffer());
    expect(Bun.hash(read)).toBe(Bun.hash(content));
    const attachment = {
      id: expect.any(Number),
      name: "bytes.bin",
      path_id: url.slice("/user_uploads/".length),
      size: content.length,
      create_time: clock.now(),
      message_ids: [],
    };
    expect(await queue.events()).toEqual([
      {
        id: expect.any(Number),
        type: "attachment",
        op: "add",
        attachment,
        upload_space_used: content.length,
      },
    ]);
    expect(await others.events()).toEqual([]);
    expect((await filesOf(alice)).attachments).toEqual([attachment]);
    expect([await statusOf(bob, url), await statusOf(anonymous, url)]).toEqual([404, 401]);
    const endpoint = `${alice.site}/api/v1/tus`;
    const small = await uploadWhole(alice, bytesOf(5), {
      endpoint,
      chunkSize: 2,
      metadata: { filename: "späce & ünï.txt" },
    });
    expect([small.filename, small.url.split("/").at(-1)]).toEqual([
      "späce & ünï.txt",
      "späce-ünï.txt",
    ]);
    const withCreation = await uploadWhole(alice, bytesOf(5), { uploadDataDuringCreation: true });
    expect(await statusOf(alice, withCreation.url)).toBe(200);
    await uploadWhole(alice, bytesOf(0));
    expect((await filesOf(alice)).attachments.at(-1).size).toBe(0);
  });

  test("that is aborted goes on where it stopped: what has arrived is kept", async () => {
    const { alice } = world;
    const content = bytesOf(48 * mib);
    const aborted = Promise.withResolvers<void>();
    let sentAgain = Number.POSITIVE_INFINITY;
    const first = tusUpload(alice, content, {
      chunkSize: 16 * mib,
      onProgress(sent) {
        if (sent > 16 * mib) void first.upload.abort().then(aborted.resolve);
      },
    });
    first.upload.start();
    await aborted.promise;
    const tusUrl = first.upload.url ?? "";
    const head = await ask(alice, tusUrl, "HEAD");
    const offset = Number(head.headers.get("upload-offset"));
    expect(offset).toBeGreaterThanOrEqual(16 * mib);
    expect([head.status, head.headers.get("upload-length")]).toEqual([200, String(content.length)]);
    expect((await filesOf(alice)).attachments).toEqual([]);
    await world.restart();
    const again = tusUpload(alice, content, {
      uploadUrl: tusUrl,
      // As the client does by itself: the connections that it has kept are of before the restart.
      retryDelays: [0, 0, 0],
      onProgress: (sent) => {
        sentAgain = Math.min(sentAgain, sent);
      },
    });
    again.upload.start();
    const { url } = await again.done;
    expect(sentAgain).toBeGreaterThanOrEqual(offset);
    const read = new Uint8Array(await (await open(alice, url)).arrayBuffer());
    expect(Bun.hash(read)).toBe(Bun.hash(content));
  });

  test("keeps each byte of a request that is broken off, and another node goes on", async () => {
    const { alice } = world;
    const { url } = await begin(alice, 2 * mib);
    const breakOff = new AbortController();
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(bytesOf(mib + 5));
      },
    });
    const headers = {
      ...headersOf(alice),
      ...bytesType,
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
    };
    const sending = fetch(url, { method: "PATCH", headers, body, signal: breakOff.signal }).catch(
      () => undefined,
    );
    const drafted = () => storedFiles(world).some((path) => path.startsWith("drafts/"));
    const draft = () => Bun.file(`${world.place.dataFolder}/files/${storedFiles(world)[0]}`);
    await until(() => drafted() && draft().size >= mib + 5);
    breakOff.abort();
    await sending;
    const head = await ask(alice, url, "HEAD");
    expect(head.headers.get("upload-offset")).toBe(String(mib + 5));
    const node = await world.startNode();
    const there = url.replace(world.site, node.site);
    const done = await patch(alice, there, mib + 5, bytesOf(2 * mib).slice(mib + 5));
    expect([done.status, done.headers.get("upload-offset")]).toEqual([200, String(2 * mib)]);
    const { url: fileUrl } = await done.json();
    const read = new Uint8Array(await (await open(alice, fileUrl)).arrayBuffer());
    expect(Bun.hash(read)).toBe(Bun.hash(bytesOf(2 * mib)));
  });

  test("tells what the protocol promises", async () => {
    const { alice, anonymous } = world;
    const { answer, url } = await begin(alice, 5, "a.txt");
    const expires = new Date((world.clock.now() + 86_400) * 1_000).toUTCString();
    expect([
      answer.status,
      answer.headers.get("tus-resumable"),
      answer.headers.get("upload-expires"),
    ]).toEqual([201, "1.0.0", expires]);
    // Some clients send the next bytes to this address as it is, so it is a whole one.
    const location = answer.headers.get("location");
    expect(location).toMatch(/^http:\/\/chat\.example\.com\/api\/v1\/tus\/[A-Za-z0-9]{32}$/);
    const part = await patch(alice, url, 0, "he");
    expect([
      part.status,
      part.headers.get("upload-offset"),
      part.headers.get("upload-expires"),
    ]).toEqual([204, "2", expires]);
    const wrong = await patch(alice, url, 0, "he");
    expect([wrong.status, (await wrong.json()).code]).toEqual([409, "BAD_REQUEST"]);
    expect((await patch(alice, url, 2, "llo and more")).status).toBe(413);
    const head = await ask(alice, url, "HEAD");
    const told = ["upload-offset", "upload-length", "upload-metadata", "cache-control"].map(
      (name) => head.headers.get(name),
    );
    expect(told).toEqual(["2", "5", "filename YS50eHQ=", "no-store"]);
    expect((await patch(alice, url, 2, "llo")).status).toBe(200);
    const options = await fetch(`${world.site}/api/v1/tus`, {
      method: "OPTIONS",
      headers: { host: anonymous.host },
    });
    expect([
      options.status,
      options.headers.get("tus-version"),
      options.headers.get("tus-max-size"),
    ]).toEqual([204, "1.0.0", String(64 * mib)]);
    const without = await alice.ask("POST", "/tus", {}, { headers: { "upload-length": "5" } });
    expect([without.status, without.body.code]).toEqual([412, "BAD_REQUEST"]);
    expect((await alice.get("/tus")).status).toBe(405);
  });

  test("ends once, whoever asks how often: a client that missed the answer gets its file", async () => {
    const { alice } = world;
    const { url } = await begin(alice, 5);
    const queue = await alice.register();
    const answers = await Promise.all([
      patch(alice, url, 0, "hello"),
      patch(alice, url, 0, "hello"),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, expect.any(Number)]);
    const again = await patch(alice, url, 5, "");
    expect([again.status, (await again.json()).url]).toEqual([
      200,
      expect.stringMatching(/note\.txt$/),
    ]);
    expect((await ask(alice, url, "HEAD")).headers.get("upload-offset")).toBe("5");
    expect((await filesOf(alice)).attachments).toHaveLength(1);
    expect((await queue.events()).map(({ op }) => op)).toEqual(["add"]);
  });

  test("is whole when two nodes are sent the same bytes at once, again and again", async () => {
    const { alice } = world;
    const node = await world.startNode();
    const queue = await alice.register();
    for (let time = 0; time < 10; time++) {
      const { url } = await begin(alice, 2 * mib);
      const places = [url, url.replace(world.site, node.site)];
      const content = bytesOf(2 * mib);
      await Promise.all(
        places.flatMap((place) => [patch(alice, place, 0, content), ask(alice, place, "HEAD")]),
      );
      await Promise.all(
        places.flatMap((place) => [ask(alice, place, "HEAD"), ask(alice, place, "HEAD")]),
      );
      // A question for how much has come breaks off what is still coming: whoever asks goes on from
      // there.
      const [, other = ""] = places;
      const offset = Number((await ask(alice, other, "HEAD")).headers.get("upload-offset"));
      const done = await patch(alice, other, offset, content.slice(offset));
      expect(done.status).toBe(200);
      const read = await (await open(alice, (await done.json()).url)).arrayBuffer();
      expect(Bun.hash(read)).toBe(Bun.hash(content));
    }
    expect((await filesOf(alice)).attachments).toHaveLength(10);
    expect((await queue.events()).map(({ op }) => op)).toEqual(Array(10).fill("add"));
  });

  test("I7: may be a browser's, signed in by its cookie and with a proof that no other site sends it", async () => {
    const { alice, operator, site } = world;
    await setPassword(operator, alice.id, "correct-horse-battery");
    const browser = new Browser(site, worldHost);
    await browser.submit("/login", { email: alice.email, password: "correct-horse-battery" });
    const headers = {
      "tus-resumable": "1.0.0",
      "upload-length": "5",
      "upload-metadata": "filename YS50eHQ=",
    };
    const forged = await browser.open("/api/v1/tus", { method: "POST", headers });
    expect(forged.status).toBe(403);
    const proof = await browser.proof();
    const begun = await browser.open("/api/v1/tus", {
      method: "POST",
      headers: { ...headers, ...proof },
    });
    const location = new URL(begun.headers.get("location") ?? "").pathname;
    const next = { ...proof, ...bytesType, "tus-resumable": "1.0.0", "upload-offset": "0" };
    expect(
      (await browser.open(location, { method: "PATCH", headers: next, body: "hello" })).status,
    ).toBe(200);
    expect(
      (await browser.open(location, { method: "HEAD", headers: { "tus-resumable": "1.0.0" } }))
        .status,
    ).toBe(200);
    expect((await filesOf(alice)).attachments.map(({ name }: { name: string }) => name)).toEqual([
      "a.txt",
    ]);
  });

  test("changes what the cast knows only through events", async () => {
    const { alice } = world;
    expect(await verify(world, () => uploadWhole(alice, bytesOf(9)))).toMatchObject({
      alice: 1,
      bob: 0,
      olga: 0,
    });
  });
});

describe("of a resumable upload is refused", () => {
  test("A12: what somebody else does with it: their upload is answered like none", async () => {
    const { alice, bob, olga, zoe } = world;
    const { url } = await begin(alice, 5);
    const nowhere = `${world.site}/api/v1/tus/${"x".repeat(32)}`;
    for (const person of [bob, olga, zoe]) {
      for (const method of ["HEAD", "DELETE"]) {
        const [theirs, missing] = [
          await ask(person, url, method),
          await ask(person, nowhere, method),
        ];
        expect([theirs.status, await theirs.text()]).toEqual([404, await missing.text()]);
      }
      const [theirs, missing] = [
        await patch(person, url, 0, "hello"),
        await patch(person, nowhere, 0, "hello"),
      ];
      expect([theirs.status, await theirs.text()]).toEqual([404, await missing.text()]);
    }
    const stranger = await fetch(url, {
      method: "HEAD",
      headers: { "tus-resumable": "1.0.0", host: alice.host },
    });
    expect(stranger.status).toBe(401);
    expect((await ask(alice, url, "HEAD")).headers.get("upload-offset")).toBe("0");
  });

  test("G8: a name that would lead out of the folder, in the name and in the address", async () => {
    const { alice, realm } = world;
    for (const name of ["../../etc/passwd", "..\\..\\passwd", "/etc/passwd"]) {
      const { filename } = await uploadWhole(alice, bytesOf(3), { metadata: { filename: name } });
      expect(filename).toBe("passwd");
    }
    for (const id of ["..%2F..%2Fsecret", "%2e%2e", "x%00y", "'"]) {
      expect((await ask(alice, `/tus/${id}`, "HEAD")).status).toBeOneOf([400, 404]);
    }
    for (const path of storedFiles(world))
      expect(path).toMatch(new RegExp(`^${realm.id}/(..)/\\1[A-Za-z0-9]{30}$`));
  });

  test("H6: what is too large or for which there is no room, before anything is sent", async () => {
    const { alice, bob } = world;
    const large = (await begin(alice, 632 * mib + 1)).answer;
    expect([large.status, (await large.json()).code]).toEqual([413, "REQUEST_TOO_LARGE"]);
    expect((await begin(alice, 64 * mib)).answer.status).toBe(201);
    expect((await begin(bob, 64 * mib)).answer.status).toBe(201);
    const noRoom = (await begin(bob, 32 * mib + 1)).answer;
    expect([noRoom.status, (await noRoom.json()).code]).toEqual([400, "REALM_UPLOAD_QUOTA"]);
    expect((await begin(world.zoe, 64 * mib)).answer.status).toBe(201);
    for (const length of ["-1", "x", "", "99999999999999999999"]) {
      expect(
        (await ask(alice, "/tus", "POST", { "upload-length": length })).status,
      ).toBeGreaterThanOrEqual(400);
    }
    expect(storedFiles(world)).toEqual([]);
  });

  test.each(["person", "organization"] as const)(
    "what is on its way while the %s is deactivated",
    async (who) => {
      const { alice, app, clock, operator } = world;
      const { url } = await begin(alice, 5);
      const body = new TransformStream<Uint8Array, Uint8Array>();
      const writer = body.writable.getWriter();
      const headers = {
        ...headersOf(alice),
        ...bytesType,
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
      };
      const sending = fetch(url, { method: "PATCH", headers, body: body.readable });
      await writer.write(Buffer.from("hel"));
      await until(() => storedFiles(world).some((path) => path.startsWith("drafts/")));
      if (who === "person") await deactivateUser(operator, alice.id);
      else await deactivateRealm(operator, {});
      await writer.write(Buffer.from("lo"));
      await writer.close();
      expect((await sending).status).toBe(401);
      expect((await storedRows(world)).files).toEqual([]);
      clock.advance(86_401);
      await tidyResumable(app);
      clock.advance(61);
      await tidyStray(app);
      expect(storedFiles(world)).toEqual([]);
    },
  );

  test("what its owner gives up, and what is not finished in a day", async () => {
    const { alice, bob, app, clock, realm } = world;
    const [given, old, finished] = [
      await begin(alice, 5),
      await begin(bob, 5),
      await begin(alice, 2),
    ];
    for (const [person, { url }] of [
      [alice, given],
      [bob, old],
      [alice, finished],
    ] as const)
      await patch(person, url, 0, "he");
    expect(storedFiles(world)).toHaveLength(3);
    expect((await ask(alice, given.url, "DELETE")).status).toBe(204);
    expect((await ask(alice, given.url, "HEAD")).status).toBe(404);
    clock.advance(86_399);
    expect((await ask(bob, old.url, "HEAD")).status).toBe(200);
    clock.advance(1);
    expect((await ask(bob, old.url, "HEAD")).status).toBe(404);
    await tidyResumable(app);
    expect(await app.engine.reader.db.select().from(app.engine.schema.resumableUploads)).toEqual(
      [],
    );
    // The server's own tidying, which the day has brought too, may be the one that removes the
    // file.
    await until(() => storedFiles(world).length === 1);
    expect(storedFiles(world)).toEqual([expect.stringMatching(new RegExp(`^${realm.id}/`))]);
    expect((await storedRows(world)).files).toHaveLength(1);
  });
});
