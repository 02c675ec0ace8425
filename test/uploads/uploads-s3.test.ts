import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { systemClock } from "../../src/core/clock";
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
import { outcomeOf } from "../support/outcome";
import { staticPng } from "../support/pictures";
import { until } from "../support/polls";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { bytesOf, tusUpload, uploadWhole } from "../support/tus";
import { makeWorld, type World } from "../support/world";

const mib = 1_048_576;

let s3: S3Server;
let world: World;
beforeAll(async () => {
  s3 = await startS3Server();
}, 200_000);
afterAll(() => s3.stop());
beforeEach(async () => {
  for (const key of await s3.keys()) await s3.client.delete(key);
  world = await makeWorld({ ...s3.flags, max_file_upload_size_mib: "64" });
});
afterEach(() => world.close());

const contentOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

describe("with files in an S3 store", () => {
  test("an upload is an object there, and is read and removed through the server alone", async () => {
    const { alice, realm } = world;
    const url = await upload(alice);
    const [, , , random] = url.split("/");
    expect(await s3.keys()).toEqual([`${realm.id}/${random}`]);
    expect(storedFiles(world)).toEqual([]);
    const file = await open(alice, url, { redirect: "manual" });
    expect([file.status, file.headers.get("content-length"), await file.text()]).toEqual([
      200,
      "5",
      "hello",
    ]);
    expect([...file.headers.values()].join()).not.toContain(new URL(s3.endpoint).port);
    const part = await open(alice, url, { headers: { range: "bytes=1-2" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 1-2/5",
      "el",
    ]);
    const head = await open(alice, url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      "5",
      "",
    ]);
    const [attachment] = (await filesOf(alice)).attachments;
    expect((await alice.delete(`/attachments/${attachment.id}`)).status).toBe(200);
    expect(await s3.keys()).toEqual([]);
    expect(await statusOf(alice, await upload(alice, "empty.txt", ""))).toBe(200);
  });

  test("a large file comes in parts, and what is refused leaves nothing", async () => {
    const { alice } = world;
    const content = bytesOf(21 * mib + 5);
    const { body } = await send(alice, formOf("large.bin", content));
    expect(Bun.hash(await contentOf(await open(alice, body.url)))).toBe(Bun.hash(content));
    const range = await open(alice, body.url, {
      headers: { range: `bytes=${8 * mib - 3}-${8 * mib + 2}` },
    });
    expect(await contentOf(range)).toEqual(content.slice(8 * mib - 3, 8 * mib + 3));
    const several = formOf("a.bin", bytesOf(9 * mib), "a");
    several.append("b", new Blob(["2"]), "b.txt");
    expect((await send(alice, several)).status).toBe(400);
    expect(await s3.keys()).toHaveLength(1);
    expect(await unfinished()).toBe(0);
  });

  test("a resumable upload that is aborted goes on at another node, with every byte that had come", async () => {
    const { alice } = world;
    const content = bytesOf(40 * mib);
    const aborted = Promise.withResolvers<void>();
    const first = tusUpload(alice, content, {
      onProgress(sent) {
        if (sent > 10 * mib) void first.upload.abort().then(aborted.resolve);
      },
    });
    first.upload.start();
    await aborted.promise;
    const node = await world.startNode();
    const uploadUrl = (first.upload.url ?? "").replace(world.site, node.site);
    const offset = async () => {
      const headers = { ...headersOf(alice), "tus-resumable": "1.0.0" };
      return Number(
        (await fetch(uploadUrl, { method: "HEAD", headers })).headers.get("upload-offset"),
      );
    };
    // The first node may still be at work on what came before it heard of the end.
    await until(async () => (await offset()) > 0);
    const again = tusUpload(alice.at(node), content, { uploadUrl });
    again.upload.start();
    const { url } = await again.done;
    expect(Bun.hash(await contentOf(await open(alice, url)))).toBe(Bun.hash(content));
    expect(await s3.keys()).toHaveLength(1);
    expect(await unfinished()).toBe(0);
    const small = await uploadWhole(alice, bytesOf(1_000), { chunkSize: 300 });
    expect(await contentOf(await open(alice, small.url))).toEqual(bytesOf(1_000));
    expect(await s3.keys()).toHaveLength(2);
  });

  test("pictures of people are there too", async () => {
    const { alice } = world;
    const form = new FormData();
    form.append("file", new Blob([staticPng]), "me.png");
    const { body } = await alice.ask("POST", "/users/me/avatar", {}, { body: form });
    expect(
      (await fetch(new URL(body.avatar_url, world.site), { headers: { host: alice.host } })).status,
    ).toBe(200);
    expect((await s3.keys()).length).toBeGreaterThan(0);
    expect(storedFiles(world)).toEqual([]);
  });

  test("what is still in the data folder is found and removed there", async () => {
    const { alice } = world;
    await world.close();
    world = await makeWorld({ ...s3.flags, file_store: "local" });
    const url = await upload(world.alice);
    expect([storedFiles(world).length, (await s3.keys()).length]).toEqual([1, 0]);
    expect(await statusOf(world.alice, url)).toBe(200);
    expect(alice.id).toBe(world.alice.id);
  });
});

/** Multipart uploads that the store still waits for. */
async function unfinished(): Promise<number> {
  const { makeMultipart } = await import("../../src/files/s3-multipart");
  const { makeS3Requests } = await import("../../src/files/s3-requests");
  return (await makeMultipart(makeS3Requests(s3, systemClock)).list("")).length;
}

test("While the store does not answer, people are told so, nothing is half done, and it goes on afterwards", async () => {
  const broken = await startS3Server();
  const there = await makeWorld(broken.flags);
  try {
    const { alice } = there;
    const url = await upload(alice);
    await broken.stop();
    const [read, stored] = [await open(alice, url), await send(alice, formOf("b.txt", "x"))];
    expect([read.status, (await read.json()).code]).toEqual([503, "INTERNAL_SERVER_ERROR"]);
    expect([stored.status, stored.body.code]).toEqual([503, "INTERNAL_SERVER_ERROR"]);
    expect(stored.body.msg).not.toContain(broken.bucket);
    expect((await storedRows(there)).files).toHaveLength(1);
    expect((await filesOf(alice)).upload_space_used).toBe(5);
    expect(there.logged.some((line) => line.includes("file_store_failed"))).toBe(true);
    expect(there.logged.join("\n")).not.toContain(broken.secretAccessKey);
  } finally {
    await there.close();
  }
}, 60_000);

test("What is in memory of downloads that nobody reads is bounded, and given back when they are gone", async () => {
  const there = await makeWorld({
    ...s3.flags,
    answers_in_progress_bytes_max: String(32 * mib),
    max_file_upload_size_mib: "64",
  });
  const { alice, bob, site } = there;
  const content = bytesOf(13 * mib);
  const { url } = (await send(alice, formOf("film.mp4", content))).body;
  await alice.say("general", "films", `[film](${url})`);
  const sockets: Socket[] = [];
  const begin = async () => {
    const socket = connect(Number(new URL(site).port), "127.0.0.1").pause();
    sockets.push(socket);
    const lines = Object.entries(headersOf(alice)).map(([name, value]) => `${name}: ${value}`);
    socket.write(`GET ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    await new Promise<void>((resolve) => socket.once("readable", resolve));
    return String(socket.read(12)).slice(-3);
  };
  const told: string[] = [];
  while (told.at(-1) !== "503" && told.length < 20) told.push(await begin());
  expect(told).toEqual(["200", "200", "200", "200", "503"]);
  const refused = await open(alice, url);
  expect([refused.status, (await refused.json()).code]).toEqual([503, "SERVER_BUSY"]);
  expect(await contentOf(await open(bob, url))).toEqual(content);
  expect((await open(alice, url, { method: "HEAD" })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await contentOf(await open(alice, url))).length === content.length);
  for (let turn = 0; turn < 6; turn++)
    expect(await contentOf(await open(alice, url))).toEqual(content);
  await there.close();
});

test("A store that is named in part is refused at the start, with what is missing", async () => {
  const { s3_secret_access_key: _, ...flags } = s3.flags;
  expect(await outcomeOf(makeWorld(flags))).toThrow("the configuration lacks s3_secret_access_key");
});
