import { expect, test } from "bun:test";
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { Upload } from "tus-js-client";
import { headersOf, open, upload } from "../support/files";
import { until } from "../support/polls";
import { startServer } from "../support/processes/server-process";
import { tusUrlAt } from "../support/tus";
import {
  clientOf,
  command,
  freshFolder,
  mustChatd,
  organizationFile,
  readCredentials,
} from "./chatd";

/** Size of the file; the goal is 1024 (`CHATD_TEST_UPLOAD_MIB=1024`). */
const sizeMib = Number(process.env["CHATD_TEST_UPLOAD_MIB"] ?? 96);
const mib = 1_048_576;
const growthMibMax = 64;

/** Memory of a process, in bytes: its part of what it shares, and all that is its own. */
const memoryOf = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) * 1_024;

/** A file that cannot be packed; answers its hash. */
async function writeLargeFile(path: string, mibs: number): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  writeFileSync(path, "");
  for (let count = 0; count < mibs; count++) {
    const bytes = new Uint8Array(mib);
    for (let at = 0; at < mib; at += 65_536)
      crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    hasher.update(bytes);
    await appendFile(path, bytes);
  }
  return hasher.digest("hex");
}

/** Bytes that a server has stored of files whose upload goes on. */
function sizeOfDrafts(data: string): number {
  const folder = join(data, "files", "drafts");
  if (!existsSync(folder)) return 0;
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function hashOf(answer: Response): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of answer.body ?? []) hasher.update(chunk);
  return hasher.digest("hex");
}

test("H7: a large file goes through the server, in and out, without the server growing with it", async () => {
  const [data, folder] = [join(freshFolder(), "data"), freshFolder()];
  const [credentialsFile, path] = [join(folder, "credentials.json"), join(folder, "large.bin")];
  await mustChatd([
    "admin",
    "apply",
    organizationFile,
    "--credentials",
    credentialsFile,
    "--data",
    data,
  ]);
  const flags = [
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    "--data",
    data,
    "--max-file-upload-size-mib",
    String(sizeMib),
  ];
  const server = await startServer([...command, "serve", ...flags]).ready();
  const alice = clientOf(server.site, readCredentials(credentialsFile), "alice");
  await upload(alice, "first.txt");
  const hash = await writeLargeFile(path, sizeMib);
  const before = memoryOf(server.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(server.pid));
  }, 50);
  try {
    const done = Promise.withResolvers<string>();
    const started = performance.now();
    const tus = new Upload(createReadStream(path), {
      endpoint: `${server.site}/api/v1/tus`,
      headers: headersOf(alice),
      onUploadUrlAvailable() {
        tus.url = tusUrlAt(server, tus.url);
      },
      uploadSize: sizeMib * mib,
      metadata: { filename: "large.bin" },
      chunkSize: Number.POSITIVE_INFINITY,
      retryDelays: null,
      onSuccess: ({ lastResponse }) => done.resolve(JSON.parse(lastResponse.getBody()).url),
      onError: done.reject,
    });
    tus.start();
    const url = await done.promise;
    const seconds = (performance.now() - started) / 1_000;
    const inMost = most;
    expect(await hashOf(await open(alice, url))).toBe(hash);
    const grown = (bytes: number) => Math.round((bytes - before) / mib);
    console.info(
      `${sizeMib} MiB through tus in ${seconds.toFixed(1)} s: from ${Math.round(before / mib)} MiB, the server grew by ${grown(inMost)} MiB; by ${grown(most)} MiB with the download.`,
    );
    expect(grown(most)).toBeLessThan(growthMibMax);
  } finally {
    clearInterval(watch);
    await server.stop();
  }
}, 300_000);

test("A resumable upload goes on after kill -9 of the server, from the bytes that had come", async () => {
  const [data, folder] = [join(freshFolder(), "data"), freshFolder()];
  const [credentialsFile, path] = [join(folder, "credentials.json"), join(folder, "large.bin")];
  await mustChatd([
    "admin",
    "apply",
    organizationFile,
    "--credentials",
    credentialsFile,
    "--data",
    data,
  ]);
  const serveAt = (port: string) =>
    startServer([
      ...command,
      "serve",
      "--host",
      "127.0.0.1",
      "--port",
      port,
      "--data",
      data,
    ]).ready();
  const server = await serveAt("0");
  const alice = clientOf(server.site, readCredentials(credentialsFile), "alice");
  const hash = await writeLargeFile(path, 48);
  const done = Promise.withResolvers<string>();
  let offset = 0;
  let isKilled = false;
  const tus = new Upload(createReadStream(path), {
    endpoint: `${server.site}/api/v1/tus`,
    headers: headersOf(alice),
    onUploadUrlAvailable() {
      tus.url = tusUrlAt(server, tus.url);
    },
    uploadSize: 48 * mib,
    metadata: { filename: "large.bin" },
    retryDelays: [500, 1_000, 2_000, 4_000, 8_000],
    chunkSize: Number.POSITIVE_INFINITY,
    onProgress(sent) {
      if (isKilled && offset === 0) offset = sent;
    },
    onSuccess: ({ lastResponse }) => done.resolve(JSON.parse(lastResponse.getBody()).url),
    onError: done.reject,
  });
  tus.start();
  await until(() => sizeOfDrafts(data) >= mib);
  await server.kill();
  isKilled = true;
  const again = await serveAt(new URL(server.site).port);
  const url = await done.promise;
  expect(await hashOf(await open(alice, url))).toBe(hash);
  expect(offset).toBeGreaterThan(0);
  await again.kill();
}, 120_000);
