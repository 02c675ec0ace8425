import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openLocalFiles } from "../../src/files/local";
import { moveFiles } from "../../src/files/move";
import type { FileDraft, FileStore } from "../../src/files/store";
import { tidyStray } from "../../src/files/stray";
import { tidyUnlinked } from "../../src/uploads/tidy";
import {
  filesOf,
  formOf,
  headersOf,
  open,
  send,
  statusOf,
  storedFiles,
  storedRows,
  upload,
} from "../support/files";
import { until } from "../support/polls";
import { scratchFolder } from "../support/scratch-folder";
import { bytesOf, tusUrlAt } from "../support/tus";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ unlinked_upload_days: "7" });
});
afterEach(() => world.close());

const day = 86_400;
const strays = async () =>
  (await world.app.engine.reader.db.select().from(world.app.engine.schema.strayPictures)).length;

/**
 * A store that breaks like a process that is killed there: from then on nothing is done any more.
 */
function breaking(
  store: FileStore,
  place: keyof FileStore | keyof FileDraft,
  times: number,
): FileStore {
  let left = times;
  const check = (name: string) => {
    if (left <= 0) throw new Error("killed on purpose");
    if (name === place && --left === 0) throw new Error("killed on purpose");
  };
  const guarded = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "list") return value.bind(target);
        return async (...given: unknown[]) => {
          // Files that are open are closed when a process ends.
          if (left <= 0 && name === "discard" && "rest" in target)
            await (target as unknown as FileDraft).rest();
          check(String(name));
          const answer = await Reflect.apply(value, target, given);
          return ["begin", "resume"].includes(String(name)) ? guarded(answer as FileDraft) : answer;
        };
      },
    });
  return guarded(store);
}

describe("a file whose server ends", () => {
  test("before its row is there is removed an hour later, at whatever step that was", async () => {
    const { alice, app, clock } = world;
    const whole = app.files;
    for (const step of ["begin", "write", "keep"] as const) {
      Object.assign(app, { files: breaking(whole, step, 1) });
      expect((await send(alice, formOf("a.txt", "hello"))).status).toBe(500);
      Object.assign(app, { files: whole });
    }
    expect((await storedRows(world)).files).toEqual([]);
    clock.advance(3_700);
    await tidyStray(app);
    expect(storedFiles(world).filter((path) => !path.startsWith("drafts/"))).toEqual([]);
    expect(await strays()).toBe(0);
    expect((await filesOf(alice)).upload_space_used).toBe(0);
  });

  test("stays when the answer to its commit is lost: its row is there, and no note of it as stray", async () => {
    const { alice, app, clock } = world;
    const { engine } = app;
    const write = engine.write.bind(engine);
    // The write that names the file is done, and nobody hears of it.
    Object.assign(engine, {
      write: async (...given: Parameters<typeof write>) => {
        const answer = await write(...given);
        if ((await storedRows(world)).files.length > 0)
          throw new Error("the connection was lost on purpose");
        return answer;
      },
    });
    const refused = await send(alice, formOf("a.txt", "hello"));
    Object.assign(engine, { write });
    expect(refused.status).toBe(500);
    clock.advance(3_700);
    await tidyStray(app);
    const [file] = (await filesOf(alice)).attachments;
    expect(await (await open(alice, `/user_uploads/${file.path_id}`)).text()).toBe("hello");
  });

  test("between the store and the row of a resumable upload is there when its client asks again", async () => {
    const { alice, app, site } = world;
    const headers = { ...headersOf(alice), "tus-resumable": "1.0.0" };
    const begun = await fetch(`${site}/api/v1/tus`, {
      method: "POST",
      headers: { ...headers, "upload-length": "5" },
    });
    const url = tusUrlAt(world, begun.headers.get("location"));
    const whole = app.files;
    const bytes = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
    Object.assign(app, { files: breaking(whole, "find", 4) });
    const sent = await fetch(url, {
      method: "PATCH",
      headers: { ...headers, ...bytes },
      body: "hello",
    });
    Object.assign(app, { files: whole });
    expect(sent.status).toBe(500);
    const head = await fetch(url, { method: "HEAD", headers });
    expect([head.status, head.headers.get("upload-offset")]).toEqual([200, "5"]);
    const { attachments, upload_space_used: used } = await filesOf(alice);
    expect([attachments.length, used]).toEqual([1, 5]);
    expect(await (await open(alice, `/user_uploads/${attachments[0].path_id}`)).text()).toBe(
      "hello",
    );
  });

  test("is moved to another place whole, however often that is interrupted", async () => {
    const { alice, app, clock } = world;
    const contents = [bytesOf(3_000_000), bytesOf(10), bytesOf(0), bytesOf(70_000)];
    const urls: string[] = [];
    for (const content of contents)
      urls.push((await send(alice, formOf("a.bin", content))).body.url);
    const other = openLocalFiles(join(scratchFolder(), `moved-${crypto.randomUUID()}`), clock);
    const list = async (store: FileStore) =>
      (await Array.fromAsync(store.list())).map(({ key }) => key).toSorted();
    const before = await list(app.files);
    for (const step of ["write", "keep", "find", "discard"] as const) {
      for (const times of [1, 2, 3]) {
        await moveFiles(app.files, breaking(other, step, times)).catch(() => undefined);
        await moveFiles(breaking(app.files, "remove", times), other).catch(() => undefined);
        expect(
          [...new Set([...(await list(app.files)), ...(await list(other))])].toSorted(),
        ).toEqual(before);
        await moveFiles(other, app.files);
      }
    }
    const { moved } = await moveFiles(app.files, other);
    expect([moved, await list(app.files), await list(other)]).toEqual([4, [], before]);
    await moveFiles(other, app.files);
    for (const [index, url] of urls.entries()) {
      expect(new Uint8Array(await (await open(alice, url)).arrayBuffer())).toEqual(
        contents[index] as never,
      );
    }
  });

  test("is not brought back by a move when it is removed meanwhile", async () => {
    const { alice, app, clock } = world;
    await upload(alice);
    const [file] = (await filesOf(alice)).attachments;
    const other = openLocalFiles(join(scratchFolder(), `moved-${crypto.randomUUID()}`), clock);
    const slow: FileStore = {
      ...other,
      async begin(key) {
        const draft = await other.begin(key);
        await alice.delete(`/attachments/${file.id}`);
        return draft;
      },
    };
    expect(await moveFiles(app.files, slow)).toEqual({ moved: 0, bytes: 0 });
    expect([storedFiles(world), await Array.fromAsync(other.list())]).toEqual([[], []]);
  });
});

describe("a file that no message links to", () => {
  test("is removed after as many days as the operator says, and its owner is told", async () => {
    const { alice, bob, olga, channels, app, clock } = world;
    const [linked, forgotten] = [
      await upload(alice, "linked.txt"),
      await upload(alice, "forgotten.txt"),
    ];
    await alice.say("general", "files", `[x](${linked})`);
    clock.advance(7 * day - 10);
    const fresh = await upload(bob, "fresh.txt");
    await tidyUnlinked(app);
    expect((await storedRows(world)).files).toHaveLength(3);
    const only = { event_types: ["attachment"] };
    const [queue, others] = [await alice.register(only), await bob.register(only)];
    clock.advance(20);
    await tidyUnlinked(app);
    expect([
      await statusOf(alice, linked),
      await statusOf(alice, forgotten),
      await statusOf(bob, fresh),
    ]).toEqual([200, 404, 200]);
    expect((await queue.events()).map(({ type, op }) => [type, op])).toEqual([
      ["attachment", "remove"],
    ]);
    expect(await others.events()).toEqual([]);
    expect(storedFiles(world)).toHaveLength(2);
    await olga.post(`/streams/${channels.general}/delete_topic`, { topic_name: "files" });
    await tidyUnlinked(app);
    expect(await statusOf(alice, linked)).toBe(200);
    clock.advance(8 * day);
    await tidyUnlinked(app);
    expect([(await storedRows(world)).files, storedFiles(world)]).toEqual([[], []]);
    expect((await filesOf(alice)).upload_space_used).toBe(0);
  });

  test("stays while its owner means to send it, and where the operator says nothing", async () => {
    const { alice, app, channels, clock } = world;
    const url = await upload(alice);
    await alice.post("/drafts", {
      drafts: JSON.stringify([{ type: "", to: [], topic: "", content: `see [x](${url})` }]),
    });
    const [later, kept] = [await upload(alice, "later.txt"), await upload(alice, "kept.txt")];
    const message = {
      type: "channel",
      to: String(channels.general),
      topic: "files",
      content: `[x](${later})`,
    };
    await alice.post("/scheduled_messages", {
      ...message,
      scheduled_delivery_timestamp: String(clock.now() + 40 * day),
    });
    await alice.post("/saved_snippets", { title: "file", content: `[x](${kept})` });
    const noted = await upload(alice, "über.txt");
    await alice.post("/reminders", {
      message_id: String(await alice.say("general", "files", "look at it")),
      scheduled_delivery_timestamp: String(clock.now() + 40 * day),
      note: `compare [x](${noted.replace("ü", "%c3%bc")})`,
    });
    clock.advance(30 * day);
    await tidyUnlinked(app);
    for (const one of [url, later, kept, noted]) expect(await statusOf(alice, one)).toBe(200);
    Object.assign(app, { config: { ...app.config, unlinkedUploadDays: undefined } });
    await upload(alice, "other.txt");
    clock.advance(300 * day);
    await tidyUnlinked(app);
    expect((await storedRows(world)).files).toHaveLength(5);
  });
});

test("A file is not taken for a stray one where it took more than an hour to arrive", async () => {
  const { alice, app, clock } = world;
  const whole = app.files;
  const tidying = { files: { ...whole, find: tidyFirst } };
  async function tidyFirst(key: string) {
    await tidyStray(app);
    return whole.find(key);
  }
  const [minutes, bytesPerMinute] = [70, 70_000];
  const begin = '--x\r\nContent-Disposition: form-data; name="f"; filename="large.bin"\r\n\r\n';
  const body = new TransformStream<Uint8Array>();
  const stream = body.writable.getWriter();
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const answer = send(alice, body.readable, headers);
  await stream.write(new TextEncoder().encode(begin));
  const arrivedBytes = () =>
    storedFiles(world)
      .map((path) => statSync(join(world.place.dataFolder, "files", path)).size)
      .reduce((sum, size) => sum + size, 0);
  for (let minute = 1; minute <= minutes; minute++) {
    await stream.write(new Uint8Array(bytesPerMinute));
    await until(() => arrivedBytes() > minute * bytesPerMinute - 100);
    clock.advance(60);
  }
  Object.assign(app, tidying);
  await stream.write(new TextEncoder().encode("\r\n--x--\r\n"));
  await stream.close();
  const { status, body: uploaded } = await answer;
  Object.assign(app, { files: whole });
  expect([status, await statusOf(alice, uploaded.url)]).toEqual([200, 200]);
  expect((await filesOf(alice)).upload_space_used).toBe(minutes * bytesPerMinute);
});
