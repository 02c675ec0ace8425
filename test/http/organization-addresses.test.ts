import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { operatorContext } from "../../src/core/operator";
import { write } from "../../src/core/write";
import { type AnyJob, defineJob } from "../../src/jobs/define";
import { createRealm } from "../../src/management/organization/create";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { deleteDueRealms } from "../../src/management/organization/delete";
import { findRealmByHost } from "../../src/realm/queries";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { otherHost } from "../support/cast";
import { linkIn, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/* Addresses of organizations on a server whose operator has set `url`. */

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const openAt = async (url: string, jobs?: readonly AnyJob[]) => {
  world = await makeWorld({ ...relay.flags, url }, jobs);
};

/** Addresses of its organization that a job has seen. */
const seenByJobs: string[] = [];
const seeAddress = defineJob("see address", Type.Object({}), async ({ url }) => {
  seenByJobs.push(url);
  return undefined;
});

/** The addresses of their organization that somebody is told. */
async function toldTo(person: Person) {
  const { state } = await person.register({ fetch_event_types: ["realm"] });
  const { body: settings } = await person.get("/server_settings");
  const { body: invited } = await person.post("/invites/multiuse", {});
  const origins = [state.realm_url, settings.realm_url, invited.invite_link];
  return origins.map((address) => new URL(address).origin);
}

async function operatorOf(host: string) {
  const realm = await findRealmByHost(world.app.engine.reader, host);
  if (!realm) throw new Error(`there is no realm at ${host}`);
  return operatorContext(world.app, realm);
}

const statusOf = async (link: string, host: string) =>
  (await new Browser(world.site, host).open(new URL(link).pathname)).status;

async function resetLinkOf({ email, host }: Person) {
  await new Browser(world.site, host).submit("/password/reset", { email });
  await world.pass(0);
  await world.pass(0);
  const [mail] = relay.received.splice(0);
  if (!mail) throw new Error("no mail has come");
  return linkIn(mail, "/password/reset/");
}

describe("with the address of one organization", () => {
  test("another one is told its own: its links open there, and not at the first one", async () => {
    await openAt("https://chat.example.com");
    const { olga, zoe } = world;
    expect(await toldTo(olga)).toEqual(Array(3).fill("https://chat.example.com"));
    expect(await toldTo(zoe)).toEqual(Array(3).fill("https://other.example.com"));
    const { url } = await createLoginLink(await operatorOf(otherHost), zoe.id, 600);
    expect(new URL(url).origin).toBe("https://other.example.com");
    const reset = await resetLinkOf(zoe);
    expect(new URL(reset).origin).toBe("https://other.example.com");
    for (const link of [url, reset]) {
      expect([await statusOf(link, otherHost), await statusOf(link, worldHost)]).toEqual([
        200, 404,
      ]);
    }
    const own = await resetLinkOf(olga);
    expect(new URL(own).origin).toBe("https://chat.example.com");
  });

  test("the port and the scheme are those of that address", async () => {
    await openAt("http://chat.example.com:8080");
    expect(await toldTo(world.zoe)).toEqual(Array(3).fill("http://other.example.com:8080"));
  });

  test("the other's people cannot be signed in by its pages", async () => {
    await openAt("https://chat.example.com");
    const { url } = await createLoginLink(await operatorOf(otherHost), world.zoe.id, 600);
    const submit = (origin: string) =>
      new Browser(world.site, otherHost).submit(new URL(url).pathname, {}, { origin });
    expect((await submit("https://chat.example.com")).status).toBe(403);
    expect((await submit("https://other.example.com")).status).toBe(303);
  });
});

test("an address that is no organization's is told to all", async () => {
  await openAt("https://public.example.com");
  expect(await toldTo(world.olga)).toEqual(Array(3).fill("https://public.example.com"));
  expect(await toldTo(world.zoe)).toEqual(Array(3).fill("https://public.example.com"));
});

test("every node tells the address that holds since an organization has come or gone", async () => {
  await openAt("https://public.example.com");
  const { clock, zoe } = world;
  const node = await world.startNode();
  const told = async () => [await toldTo(zoe), await toldTo(zoe.at(node))].flat();
  const own = Array(6).fill("https://other.example.com");
  const shared = Array(6).fill("https://public.example.com");
  expect(await told()).toEqual(shared);
  const named = { name: "Public", host: "public.example.com" };
  await createRealm(world.app, named, clock.now());
  expect(await told()).toEqual(own);
  const { url } = await operatorOf("public.example.com");
  expect(url).toBe("https://public.example.com");
  await deactivateRealm(await operatorOf("public.example.com"), { deletionDelayDays: 14 });
  expect(await told()).toEqual(own);
  await world.pass(14 * 24 * 3600);
  await deleteDueRealms(world.app);
  expect(await told()).toEqual(shared);
});

test("jobs of a node that nobody has asked since have the address that holds", async () => {
  await openAt("https://public.example.com", [seeAddress]);
  const { app } = await world.startNode();
  const named = { name: "Public", host: "public.example.com" };
  await createRealm(world.app, named, world.clock.now());
  await world.app.jobs.stop();
  await write({ app, realm: world.realm, now: world.clock.now() }, (tx) =>
    seeAddress.enqueue(tx, { app, realm: world.realm }, {}),
  );
  await app.jobs.settled();
  expect(seenByJobs).toEqual(["https://chat.example.com"]);
});
