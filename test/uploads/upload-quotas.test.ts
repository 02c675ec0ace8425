import { afterEach, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { tidyResumable } from "../../src/uploads/resumable";
import { filesOf, formOf, headersOf, send, storedFiles } from "../support/files";
import { until } from "../support/polls";
import { tusUrlAt } from "../support/tus";
import { makeWorld, type Node, type Person, type World } from "../support/world";

/** Limits for files: of a person one MiB, of the organization two. */
let world: World;
let other: Node;
beforeEach(async () => {
  world = await makeWorld({ upload_quota_mib: "2", upload_quota_per_user_mib: "1" });
  other = await world.startNode();
});
afterEach(() => world.close());

const mib = 1_048_576;
const bytes = (count: number) => new Uint8Array(count);
const upload = (person: Person, count: number) => send(person, formOf("a.bin", bytes(count)));

/** Begins an upload in several requests. */
const begin = (person: Person, length: number) =>
  fetch(`${person.site}/api/v1/tus`, {
    method: "POST",
    headers: { ...headersOf(person), "tus-resumable": "1.0.0", "upload-length": String(length) },
  });

const refusal = async (
  answer: { status: number; body?: { code: string; msg: string } } | Response,
) => {
  const body = answer instanceof Response ? await answer.json() : answer.body;
  return [
    answer.status,
    body?.code,
    /your files may use/i.test(body?.msg ?? "") ? "person" : "organization",
  ];
};

const refusedTo = (whom: "person" | "organization") => [400, "REALM_UPLOAD_QUOTA", whom];

test("A person's files take no more together than the operator allows, and what they remove makes room", async () => {
  const { alice, bob } = world;
  expect((await upload(alice, 700_000)).status).toBe(200);
  expect(await refusal(await upload(alice, 400_000))).toEqual(refusedTo("person"));
  expect(await refusal(await begin(alice, 400_000))).toEqual(refusedTo("person"));
  expect((await upload(bob, 700_000)).status).toBe(200);
  const { attachments } = await filesOf(alice);
  await alice.delete(`/attachments/${attachments[0].id}`);
  expect((await upload(alice, 400_000)).status).toBe(200);
  expect((await filesOf(alice)).upload_space_used).toBe(1_100_000);
  expect(storedFiles(world)).toHaveLength(2);
});

test("An upload that is begun counts with its whole size, until it is given up or has expired", async () => {
  const { alice, bob, carol, app, clock } = world;
  const begun = await begin(alice, 900_000);
  expect(begun.status).toBe(201);
  expect(await refusal(await upload(alice, 200_000))).toEqual(refusedTo("person"));
  expect(await refusal(await begin(alice, 200_000))).toEqual(refusedTo("person"));
  expect((await begin(bob, 900_000)).status).toBe(201);
  expect(await refusal(await upload(carol, 400_000))).toEqual(refusedTo("organization"));
  const headers = { ...headersOf(alice), "tus-resumable": "1.0.0" };
  const url = tusUrlAt(alice, begun.headers.get("location"));
  await fetch(url, { method: "DELETE", headers });
  expect((await upload(carol, 400_000)).status).toBe(200);
  clock.advance(86_401);
  await tidyResumable(app);
  expect((await upload(bob, mib)).status).toBe(200);
});

test("Who has begun an upload has the room to finish it, whatever comes meanwhile", async () => {
  const { alice, bob, carol } = world;
  const begun = await begin(alice, 600_000);
  expect((await upload(bob, mib)).status).toBe(200);
  expect(await refusal(await upload(carol, 600_000))).toEqual(refusedTo("organization"));
  const finished = await fetch(tusUrlAt(alice, begun.headers.get("location")), {
    method: "PATCH",
    headers: {
      ...headersOf(alice),
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    },
    body: bytes(600_000),
  });
  expect(finished.status).toBe(200);
  expect((await filesOf(alice)).upload_space_used).toBe(mib + 600_000);
});

test("Uploads at two servers at once take no more room than there is", async () => {
  const { alice, bob, carol } = world;
  const sizes = 300_000;
  const answers = await Promise.all([
    ...[alice, alice, bob, carol].map((person) => upload(person, sizes)),
    ...[alice, alice, bob, carol].map((person) => upload(person.at(other), sizes)),
    ...[alice, bob, carol].map((person) => begin(person.at(other), sizes)),
  ]);
  const taken = answers.filter(({ status }) => status < 300).length * sizes;
  expect(taken).toBeLessThanOrEqual(2 * mib);
  for (const person of [alice, bob, carol]) {
    const { attachments } = await filesOf(person);
    expect(attachments.length * sizes).toBeLessThanOrEqual(mib);
  }
});

test("Uploads that are on their way in one request count with what has come of them", async () => {
  const { alice } = world;
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const head = `--x\r\nContent-Disposition: form-data; name="f"; filename="slow.bin"\r\n\r\n`;
  const type = { "content-type": "multipart/form-data; boundary=x" };
  const slow = fetch(`${alice.site}/api/v1/user_uploads`, {
    method: "POST",
    headers: { ...headersOf(alice), ...type },
    body: body.readable,
  });
  await writer.write(new TextEncoder().encode(head));
  await writer.write(bytes(800_000));
  const sizeOf = (path: string) => statSync(join(world.place.dataFolder, "files", path)).size;
  await until(() => storedFiles(world).some((path) => sizeOf(path) > 700_000));
  expect(await refusal(await upload(alice, 400_000))).toEqual(refusedTo("person"));
  await writer.write(new TextEncoder().encode("\r\n--x--\r\n"));
  await writer.close();
  expect((await slow).status).toBe(200);
  expect((await upload(alice, 200_000)).status).toBe(200);
});

test("Files take 10 GiB of an organization and 2 GiB of a person, unless the operator says otherwise; 0 is any size", async () => {
  const usual = await makeWorld();
  expect((await usual.alice.register()).state["realm_upload_quota_mib"]).toBe(10_240);
  const { uploadQuotaPerUserMib, maxFileUploadSizeMib } = usual.app.config;
  expect([uploadQuotaPerUserMib, maxFileUploadSizeMib]).toEqual([2_048, 100]);
  await usual.close();
  const endless = await makeWorld({ upload_quota_mib: "0", upload_quota_per_user_mib: "0" });
  expect((await endless.alice.register()).state["realm_upload_quota_mib"]).toBe(null);
  expect((await upload(endless.alice, mib)).status).toBe(200);
  await endless.close();
});
