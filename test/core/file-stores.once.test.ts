import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock";
import { makeLog } from "../../src/core/log";
import { openLocalFiles } from "../../src/files/local";
import { moveFiles } from "../../src/files/move";
import { openS3Files } from "../../src/files/s3";
import type { FileStore } from "../../src/files/store";
import { openTwoStores } from "../../src/files/two-stores";
import { errorOf, outcomeOf } from "../support/outcome";
import { scratchFolder } from "../support/scratch-folder";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { bytesOf } from "../support/tus";

const mib = 1_048_576;
const key = `7/${"k".repeat(32)}`;
const log = makeLog(systemClock, "error", () => undefined);

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
}, 200_000);
afterAll(() => s3.stop());
beforeEach(async () => {
  for (const stored of await s3.keys()) await s3.client.delete(stored);
});

const inS3 = (bytesMax?: number) => openS3Files(s3, systemClock, log, bytesMax);
const inFolder = (folder = join(scratchFolder(), crypto.randomUUID())) =>
  openLocalFiles(folder, systemClock);

async function put(store: FileStore, content: Uint8Array) {
  const draft = await store.begin(key);
  await draft.write(content);
  await draft.keep();
}

const contentIn = async (store: FileStore) =>
  new Uint8Array((await (await store.find(key))?.arrayBuffer()) ?? []);

/** Drafts that two nodes and a third that is late have open of one upload. */
async function resumedTwice(store: FileStore, content: Uint8Array) {
  const first = await store.resume(key);
  await first.write(content);
  await first.rest();
  return [await store.resume(key), await store.resume(key)] as const;
}

describe.each([
  ["a folder", () => inFolder()],
  ["an S3 store", () => inS3()],
])("a file in %s", (_, openStore) => {
  test("that several finish at once is there whole, also when another begins it anew in between", async () => {
    const [store, content] = [openStore(), bytesOf(9_000)];
    const [one, other] = await resumedTwice(store, content);
    await one.keep();
    const late = await store.resume(key);
    await other.keep().catch(() => other.rest());
    await late.rest();
    expect(await contentIn(store)).toEqual(content);
  });

  test("keeps what has arrived where somebody slower comes later with less of it", async () => {
    const [store, content] = [openStore(), bytesOf(9_000)];
    const [slow, fast] = [await store.resume(key), await store.resume(key)];
    await fast.write(content);
    await fast.rest();
    await slow.write(content.slice(0, 10));
    await slow.rest();
    const draft = await store.resume(key);
    expect(draft.sizeBytes).toBe(9_000);
    await draft.keep();
    expect(await contentIn(store)).toEqual(content);
  });
});

describe("files that move", () => {
  test("from an S3 store are read to their end by whoever has begun to", async () => {
    const [from, to, content] = [inS3(), inFolder(), bytesOf(13 * mib)];
    await put(from, content);
    const both = openTwoStores(to, from);
    const [whole, part] = [await both.find(key), (await both.find(key))?.slice(5, 12 * mib)];
    const [reader, partReader] = [whole?.stream().getReader(), part?.stream().getReader()];
    const read = [(await reader?.read())?.value ?? new Uint8Array()];
    const partRead = [(await partReader?.read())?.value ?? new Uint8Array()];
    expect(await moveFiles(from, to)).toMatchObject({ moved: 1 });
    for (let next = await reader?.read(); next?.value; next = await reader?.read())
      read.push(next.value);
    for (let next = await partReader?.read(); next?.value; next = await partReader?.read())
      partRead.push(next.value);
    expect(Bun.hash(Buffer.concat(read))).toBe(Bun.hash(content));
    expect(Bun.hash(Buffer.concat(partRead))).toBe(Bun.hash(content.slice(5, 12 * mib)));
    expect(await s3.keys()).toEqual([]);
  });

  test("are never lost by two moves at once, whichever of them ends in between", async () => {
    const [from, folder, content] = [
      inFolder(),
      join(scratchFolder(), crypto.randomUUID()),
      bytesOf(mib),
    ];
    const to = inFolder(folder);
    await put(from, content);
    // The other move takes the place of this one's draft, and is killed when half of the file is
    // there.
    const disturbed: FileStore = {
      ...to,
      async begin(name) {
        const draft = await to.begin(name);
        return {
          ...draft,
          get sizeBytes() {
            return draft.sizeBytes;
          },
          async keep() {
            await to.discard(name);
            const others = await to.begin(name);
            await others.write(content.slice(0, 1_000));
            await others.rest();
            await draft.keep();
          },
        };
      },
    };
    expect(await outcomeOf(moveFiles(from, disturbed))).toThrow();
    expect(await contentIn(from)).toEqual(content);
    expect(await moveFiles(from, to)).toMatchObject({ moved: 1 });
    expect(await contentIn(to)).toEqual(content);
  });
});

describe("while one of two stores does not answer", () => {
  const away = () => openS3Files({ ...s3, endpoint: "http://127.0.0.1:1" }, systemClock, log);

  test("the files of the other are read, whichever of them takes new ones", async () => {
    const [folder, content] = [inFolder(), bytesOf(9_000)];
    await put(folder, content);
    expect(await contentIn(openTwoStores(away(), folder))).toEqual(content);
    expect(await contentIn(openTwoStores(folder, away()))).toEqual(content);
  });

  test("a file that the other does not have counts as unreadable and not as missing", async () => {
    for (const both of [openTwoStores(away(), inFolder()), openTwoStores(inFolder(), away())])
      expect(await errorOf(both.find(key))).toMatchObject({ status: 503 });
  });
});

test("All files on their way into an S3 store together take no more memory than is set aside for them", async () => {
  const store = inS3(mib);
  const [first, second] = [await store.begin(`7/${"a".repeat(32)}`), await store.begin(key)];
  await first.write(bytesOf(600_000));
  expect(await errorOf(second.write(bytesOf(600_000)))).toMatchObject({
    code: "INTERNAL_SERVER_ERROR",
    status: 503,
  });
  await second.discard();
  await first.keep();
  for (let time = 0; time < 10; time++) await put(store, bytesOf(600_000 + time));
  for (let time = 0; time < 10; time++) {
    const draft = await store.resume(`7/${"b".repeat(32)}`);
    await draft.write(bytesOf(30_000));
    await draft.rest();
    expect(draft.sizeBytes).toBe(30_000 * (time + 1));
  }
  expect((await contentIn(store)).length).toBe(600_009);
});

test("With the files of a deleted organization go those that had not wholly arrived", async () => {
  const folder = join(scratchFolder(), crypto.randomUUID());
  const store = inFolder(folder);
  for (const name of [key, `77/${"k".repeat(32)}`]) await (await store.begin(name)).rest();
  await store.removeRealm(7);
  expect(readdirSync(join(folder, "drafts"))).toEqual([`77-${"k".repeat(32)}`]);
  expect(existsSync(join(folder, "7"))).toBe(false);
});
