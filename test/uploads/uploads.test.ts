import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import { linksOf } from "../../src/uploads/queries";
import type { Answer } from "../support/client";
import { verifyInTurn } from "../support/client-state/verify";
import {
  filesOf,
  formOf,
  open,
  readersOf,
  send,
  statusOf,
  storedFiles,
  storedRows,
  upload,
} from "../support/files";
import { until } from "../support/polls";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld({ max_file_upload_size_mib: "4" });
  },
  () => world.close(),
);

const mib = 1_048_576;

describe("an uploaded file", () => {
  test("is answered with its address, is listed, and is its uploader's alone", async () => {
    const { alice, bob, olga, zoe, anonymous, realm, clock } = world;
    const queues = [await alice.register(), await bob.register()];
    const { status, body } = await send(alice, formOf("note 1.txt", "hello"));
    const pathId = expect.stringMatching(new RegExp(`^${realm.id}/[A-Za-z0-9]{32}/note-1\\.txt$`));
    expect([status, Object.keys(body)]).toEqual([200, ["result", "msg", "uri", "url", "filename"]]);
    expect([body.filename, body.uri]).toEqual(["note 1.txt", body.url]);
    expect(body.url.slice("/user_uploads/".length)).toEqual(pathId);
    const attachment = {
      id: expect.any(Number),
      name: "note 1.txt",
      path_id: pathId,
      size: 5,
      create_time: clock.now(),
      message_ids: [],
    };
    const [events, others] = [await queues[0]?.events(), await queues[1]?.events()];
    expect(events).toEqual([
      { id: expect.any(Number), type: "attachment", op: "add", attachment, upload_space_used: 5 },
    ]);
    expect(others).toEqual([]);
    expect(await filesOf(alice)).toEqual({
      result: "success",
      msg: "",
      attachments: [attachment],
      upload_space_used: 5,
    });
    expect(await filesOf(bob)).toMatchObject({ attachments: [], upload_space_used: 5 });
    expect(await filesOf(zoe)).toMatchObject({ attachments: [], upload_space_used: 0 });
    const file = await open(alice, body.url);
    expect([file.status, await file.text()]).toEqual([200, "hello"]);
    const head = await open(alice, body.url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      "5",
      "",
    ]);
    expect(await readersOf(body.url, bob, olga, zoe)).toEqual([]);
    expect(await statusOf(anonymous, body.url)).toBe(401);
    await world.restart();
    expect(await (await open(alice, body.url)).text()).toBe("hello");
  });

  test("comes in a part of any name, beside fields that are passed over, and may be empty", async () => {
    const { alice } = world;
    for (const field of ["file", "filename", "/home/alice/note.txt", ""]) {
      expect((await send(alice, formOf("note.txt", "hello", field))).body.filename).toBe(
        "note.txt",
      );
    }
    const form = formOf("note.txt", "");
    form.append("client_gravatar", "true");
    expect((await send(alice, form)).body.result).toBe("success");
    expect((await filesOf(alice)).attachments.at(-1).size).toBe(0);
    expect((await filesOf(alice)).upload_space_used).toBe(20);
    expect((await send(world.robot, formOf("robot.txt", "beep"))).status).toBe(200);
    expect((await send(world.greta, formOf("guest.txt", "hi"))).status).toBe(200);
  });

  test("holds every byte, whatever they are and however they arrive", async () => {
    const { alice } = world;
    const content = new Uint8Array(3 * mib);
    for (let index = 0; index < content.length; index++) content[index] = (index * 7919) >> 3;
    content.set(new TextEncoder().encode("\r\n--boundary\r\n--\r\n--bound"), mib - 5);
    const { body } = await send(alice, formOf("bytes.bin", content));
    const bytes = new Uint8Array(await (await open(alice, body.url)).arrayBuffer());
    expect(Bun.hash(bytes)).toBe(Bun.hash(content));
    expect(bytes.length).toBe(content.length);
  });

  test("is removed by its owner for everybody; for others it is like one that never was", async () => {
    const { alice, bob } = world;
    const url = await upload(alice);
    const message = await alice.say("general", "files", `see [note](${url})`);
    const [file] = (await filesOf(alice)).attachments;
    const [theirs, missing] = [
      await bob.delete(`/attachments/${file.id}`),
      await bob.delete("/attachments/999999"),
    ];
    expect([theirs.status, theirs.body]).toEqual([400, missing.body]);
    expect(await statusOf(bob, url)).toBe(200);
    const [queue, others] = [await alice.register(), await bob.register()];
    expect((await alice.delete(`/attachments/${file.id}`)).status).toBe(200);
    const removed = {
      type: "attachment",
      op: "remove",
      attachment: { id: file.id },
      upload_space_used: 0,
    };
    expect(await queue.events()).toEqual([{ id: expect.any(Number), ...removed }]);
    expect(await others.events()).toEqual([]);
    expect(await readersOf(url, alice, bob)).toEqual([]);
    expect([await storedRows(world), storedFiles(world)]).toEqual([{ files: [], links: [] }, []]);
    expect((await alice.delete(`/attachments/${file.id}`)).status).toBe(400);
    expect((await bob.get(`/messages/${message}`)).status).toBe(200);
  });

  test("is found with its messages among more files than a query may have parameters", async () => {
    const { alice, app, realm } = world;
    const message = await alice.say("general", "files", `[note](${await upload(alice)})`);
    const [file] = (await filesOf(alice)).attachments;
    const others = Array.from({ length: 70_000 }, (_, index) => file.id + 1 + index);
    expect(await linksOf(app.engine.reader, realm.id, [...others, file.id])).toEqual(
      new Map([[file.id, [message]]]),
    );
  });

  test("changes what the cast knows only through events", async () => {
    const { alice } = world;
    const verifyNext = verifyInTurn(world);
    let url = "";
    expect(await verifyNext(async () => (url = await upload(alice)))).toMatchObject({
      alice: 1,
      bob: 0,
      olga: 0,
    });
    await verifyNext(() => alice.say("general", "files", `[note](${url})`));
    await verifyNext(() =>
      world.olga.post(`/streams/${world.channels.general}/delete_topic`, { topic_name: "files" }),
    );
    const [file] = (await filesOf(alice)).attachments;
    expect(await verifyNext(() => alice.delete(`/attachments/${file.id}`))).toMatchObject({
      alice: 1,
      bob: 0,
    });
  });
});

describe("what is refused", () => {
  const codeOf = ({ status, body }: Answer) => [status, body.code];

  test("no file, several, a form that is none, and one that is cut off; nothing of it is kept", async () => {
    const { alice } = world;
    const several = formOf("a.txt", "1", "a");
    several.append("b", new Blob(["2"]), "b.txt");
    const fields = new FormData();
    fields.append("file", "not a file");
    const multipart = (body: string, type = "multipart/form-data; boundary=x") =>
      send(alice, body, { "content-type": type });
    const part =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello';
    const refused = [
      await alice.post("/user_uploads"),
      await send(alice, several),
      await send(alice, fields),
      await send(alice, JSON.stringify({ file: "x" }), { "content-type": "application/json" }),
      await send(alice, "hello", { "content-type": "application/octet-stream" }),
      await multipart(part),
      await multipart(`${part}\r\n--x`),
      await multipart(`${part}\r\n--y--\r\n`),
      await multipart(`${part}\r\n--x--`, "multipart/form-data"),
      await multipart(`--x\r\n${"a".repeat(20_000)}\r\n\r\n\r\n--x--`),
      await multipart("--x\r\nno colon here\r\n\r\nhello\r\n--x--"),
      await multipart(
        `${'--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n'.repeat(200)}--x--`,
      ),
      await multipart(
        '--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--x--\r\n',
      ),
    ];
    expect(refused.map(codeOf)).toEqual(refused.map(() => [400, "BAD_REQUEST"]));
    expect(codeOf(await send(world.anonymous, formOf("a.txt", "1")))).toEqual([
      401,
      "UNAUTHORIZED",
    ]);
    expect(codeOf(await send(world.zoe, formOf("a.txt", "1")))).toEqual([200, undefined]);
    expect((await storedRows(world)).files).toHaveLength(1);
    expect(storedFiles(world)).toHaveLength(1);
  });

  test("a file that is larger than allowed, as soon as that is known", async () => {
    const { alice } = world;
    expect((await send(alice, formOf("fits.bin", new Uint8Array(4 * mib)))).status).toBe(200);
    const large = await send(alice, formOf("large.bin", new Uint8Array(4 * mib + 1)));
    expect([large.status, large.body.code, large.body.msg]).toEqual([
      400,
      "BAD_REQUEST",
      expect.stringContaining("4 MiB"),
    ]);
    let sent = 0;
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(head("endless.bin")),
      pull(controller) {
        sent += mib;
        controller.enqueue(new Uint8Array(mib));
        if (sent > 200 * mib) controller.close();
      },
    });
    const answer = await send(alice, endless, multipartHeaders).catch(() => undefined);
    if (answer) expect(codeOf(answer)).toEqual([400, "BAD_REQUEST"]);
    expect(sent).toBeLessThan(100 * mib);
    expect(await filesOf(alice)).toMatchObject({ upload_space_used: 4 * mib });
    expect(storedFiles(world)).toHaveLength(1);
  });

  test("more than twenty uploads of a user at the same time", async () => {
    const { alice, bob } = world;
    const controller = new AbortController();
    const { signal } = controller;
    const hanging = Array.from({ length: 20 }, () => {
      const body = new ReadableStream({ start: (stream) => stream.enqueue(head("slow.bin")) });
      return send(alice, body, multipartHeaders, signal).catch(() => undefined);
    });
    await until(() => storedFiles(world).length === 20);
    const refused = await send(alice, formOf("one-more.txt", "x"));
    expect([refused.status, refused.body.code, refused.body["retry-after"]]).toEqual([
      429,
      "RATE_LIMIT_HIT",
      10,
    ]);
    expect((await send(bob, formOf("his.txt", "x"))).status).toBe(200);
    controller.abort();
    await Promise.all(hanging);
    await until(() => storedFiles(world).length === 1);
    // The file of an upload goes before its place among the twenty does.
    await until(async () => (await send(alice, formOf("one-more.txt", "x"))).status === 200);
    expect(world.logged.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  test("an upload of which nothing arrives for two minutes", async () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(head("stuck.bin")) });
    const answer = send(world.alice, body, multipartHeaders);
    const folder = join(world.place.dataFolder, "files");
    await until(() => storedFiles(world).some((path) => statSync(join(folder, path)).size > 0));
    for (let minute = 0; minute < 3; minute++) {
      await new Promise((resolve) => setImmediate(resolve));
      world.clock.advance(60);
    }
    expect(codeOf(await answer)).toEqual([400, "BAD_REQUEST"]);
    expect(storedFiles(world)).toEqual([]);
  });

  test("an upload whose sender is deactivated before it has arrived", async () => {
    const { alice, operator } = world;
    const rest = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(head("late.txt"));
        await rest.promise;
        stream.enqueue(new TextEncoder().encode("hello\r\n--x--\r\n"));
        stream.close();
      },
    });
    const answer = send(alice, body, multipartHeaders);
    await until(() => storedFiles(world).length === 1);
    await deactivateUser(operator, alice.id);
    rest.resolve();
    expect(codeOf(await answer)).toEqual([401, "UNAUTHORIZED"]);
    expect([await storedRows(world), storedFiles(world)]).toEqual([{ files: [], links: [] }, []]);
  });
});

const multipartHeaders = { "content-type": "multipart/form-data; boundary=x" };
const head = (name: string) =>
  new TextEncoder().encode(
    `--x\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\nbegin`,
  );

describe("H7: a body is not taken into memory", () => {
  test("a file is on the disk as far as it has been sent", async () => {
    const { alice } = world;
    const rest = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(head("large.bin"));
        for (let count = 0; count < 3; count++) stream.enqueue(new Uint8Array(mib));
        await rest.promise;
        stream.enqueue(new TextEncoder().encode("\r\n--x--\r\n"));
        stream.close();
      },
    });
    const answer = send(alice, body, multipartHeaders);
    const folder = join(world.place.dataFolder, "files");
    await until(() =>
      storedFiles(world).some((path) => statSync(join(folder, path)).size > 3 * mib - 100),
    );
    expect((await filesOf(alice)).attachments).toEqual([]);
    rest.resolve();
    expect((await answer).status).toBe(200);
    expect((await filesOf(alice)).upload_space_used).toBe(3 * mib + 5);
  });

  test("of any other form, and of a body that is no form, no more is read than a request may hold", async () => {
    const { alice } = world;
    const asks = [
      ["/messages", "multipart/form-data; boundary=x"],
      ["/messages", "application/octet-stream"],
      ["/user_uploads", "application/x-www-form-urlencoded"],
      ["/attachments", "multipart/form-data; boundary=x"],
    ] as const;
    for (const [path, type] of asks) {
      let sent = 0;
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(head("x")),
        pull(stream) {
          sent += mib;
          if (sent > 500 * mib) stream.close();
          else stream.enqueue(new Uint8Array(mib));
        },
      });
      const init = { body, headers: { "content-type": type } };
      const answer = await alice.ask("POST", path, {}, init).catch(() => undefined);
      if (answer) expect([400, 405, 413]).toContain(answer.status);
      expect(sent).toBeLessThan(100 * mib);
    }
  });
});

describe("G8: a file's name", () => {
  oneWorldForGroup();

  test.each([
    ["../../etc/passwd", "passwd", "passwd"],
    ["..\\..\\windows\\win.ini", "win.ini", "win.ini"],
    ["/etc/shadow", "shadow", "shadow"],
    ["..", "uploaded-file", "uploaded-file"],
    [".", "uploaded-file", "uploaded-file"],
    ["/", "uploaded-file", "uploaded-file"],
    ["späce & ünï.txt", "späce & ünï.txt", "späce-ünï.txt"],
    ['quo"te<b>.txt', 'quo"te<b>.txt', "quoteb.txt"],
    ["%2e%2e%2fetc.txt", "%2e%2e%2fetc.txt", "2e2e2fetc.txt"],
    ["new\u0000line\u202etxt.exe", "newlinetxt.exe", "newlinetxt.exe"],
    ["***", "***", "uploaded-file"],
    [".htaccess", ".htaccess", ".htaccess"],
    ["日本語.png", "日本語.png", "日本語.png"],
  ])(
    "%j is shown as %j, is %j in the address, and never part of a path",
    async (given, shown, inAddress) => {
      const { alice } = world;
      const body = `--x\r\nContent-Disposition: form-data; name="f"; filename="${given.replace(/["\\]/g, "\\$&")}"\r\n\r\nz\r\n--x--\r\n`;
      const before = storedFiles(world);
      const { body: answer } = await send(alice, body, multipartHeaders);
      expect([answer.filename, answer.url.split("/").at(-1)]).toEqual([shown, inAddress]);
      expect(await statusOf(alice, answer.url)).toBe(200);
      const [path, ...others] = storedFiles(world).filter((one) => !before.includes(one));
      expect(others).toEqual([]);
      expect(path).toMatch(new RegExp(`^${world.realm.id}/(..)/\\1[A-Za-z0-9]{30}$`));
    },
  );

  test("is cut when it is very long, and may come in the form of RFC 8187", async () => {
    const { alice } = world;
    const { body } = await send(alice, formOf(`${"long".repeat(2_000)}.pdf`, "z"));
    expect(body.filename).toHaveLength(200);
    expect(body.filename).toEndWith("long.pdf");
    const extended = `--x\r\nContent-Disposition: form-data; name="f"; filename="na.txt"; filename*=UTF-8''na%C3%AFve.txt\r\n\r\nz\r\n--x--\r\n`;
    expect((await send(alice, extended, multipartHeaders)).body.filename).toBe("naïve.txt");
  });

  test("that is asked for finds nothing but files of people", async () => {
    const { alice, realm } = world;
    const url = await upload(alice);
    const [, , , random] = url.split("/");
    const asked = [
      `/user_uploads/${realm.id}/../../chatd.db`,
      `/user_uploads/${realm.id}/%2e%2e%2f%2e%2e%2fsecret`,
      `/user_uploads/drafts/${random}`,
      `/user_uploads/${realm.id}/${random}`,
      `/user_uploads/${realm.id}/${random}/`,
      `/user_uploads/${realm.id}/${random}/other.txt`,
      `/user_uploads/${realm.id + 1}/${random}/note.txt`,
      `/user_uploads/0${realm.id}/${random}/note.txt`,
      "/user_uploads/",
      "/user_uploads",
    ];
    for (const path of asked) expect([path, await statusOf(alice, path)]).toEqual([path, 404]);
  });
});
