import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { and, asc, eq, gt } from "drizzle-orm";
import { type AuditAction, auditActions, auditTargets } from "../../src/core/audit";
import { setPassword } from "../../src/management/accounts/update";
import { calls } from "../support/api/calls/all-calls";
import {
  allEndpoints,
  askFor,
  type Call,
  type Caller,
  endpointNames,
  outcomeFor,
} from "../support/api/calls/call";
import { pushFlags } from "../support/api/calls/device-calls";
import { mailFlags } from "../support/api/calls/mail-calls";
import { newOutsider, newPerson } from "../support/api/calls/things";
import { Browser } from "../support/browser";
import { jwtFlags } from "../support/servers/web-token";
import { makeWorld, type Person, type World } from "../support/world";

/** One row in the audit log for each endpoint that changes something, or the reason why not. */
let world: World;
/** A member of the other organization. */
let outsider: Person;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
  outsider = await newOutsider(world);
});
afterAll(() => world.close());

const password = "correct-horse-battery";
const changesNothing = ["GET", "HEAD", "OPTIONS"];
const changing = endpointNames.filter(
  (name) => !changesNothing.includes(allEndpoints.get(name)?.method ?? ""),
);
const auditOf = (name: string) => allEndpoints.get(name)?.audit;

/** Acts of a world's organization after the act with that id. */
async function actsAfter({ app, realm }: World, id: number) {
  const { db, t } = app.engine.openReader();
  const isLater = and(eq(t.auditLog.realmId, realm.id), gt(t.auditLog.id, id));
  return db.select().from(t.auditLog).where(isLater).orderBy(asc(t.auditLog.id));
}

const newestId = async (here: World) => (await actsAfter(here, 0)).at(-1)?.id ?? 0;

/** Forms that only a browser that is signed in can send. */
const sessionForms: Readonly<Record<string, (browser: Browser) => Promise<Response>>> = {
  "POST the page /logout": (browser) => browser.submit("/logout"),
  "POST the page /logout/everywhere": (browser) => browser.submit("/logout/everywhere"),
  "POST the page /account/key": (browser) => browser.submit("/account/key", { password }),
  "POST the page /account/password": (browser) =>
    browser.submit("/account/password", {
      old_password: password,
      new_password: "another-horse-battery",
    }),
};

test("each endpoint that changes something says how it is audited, and no other one does", () => {
  expect(changing.filter((name) => auditOf(name) === undefined)).toEqual([]);
  const others = endpointNames.filter((name) => allEndpoints.get(name)?.method === "GET");
  expect(others.filter((name) => auditOf(name) !== undefined)).toEqual([]);
});

const withKeys = changing.filter(
  (name) =>
    !(calls[name]?.isForSessions || calls[name]?.isForNobody) && !Object.hasOwn(sessionForms, name),
);

async function callerOf(here: World, { spends, by }: Call): Promise<Person> {
  return spends === "caller" ? newPerson(here) : here[by ?? "alice"];
}

test.each(withKeys)("%s writes what it says", async (name) => {
  const call = calls[name];
  if (!call) throw new Error(`add a row "${name}" to test/support/calls`);
  const here =
    call.spends === "world" ? await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags }) : world;
  try {
    const caller = await callerOf(here, call);
    const asked = await call.prepare(here, caller);
    const last = await newestId(here);
    expect(await askFor(caller, name, asked)).toBe("ok");
    const acts = await actsAfter(here, last);
    const audit = auditOf(name);
    const expected = audit?.actions.length === 0 || (audit?.onlyIf && acts.length === 0) ? 0 : 1;
    expect(acts).toHaveLength(expected);
    expect(acts.filter(({ action }) => !audit?.actions.some((one) => one === action))).toEqual([]);
    for (const act of acts) {
      const isPage = name.includes(" the page ") || name.endsWith("/fetch_api_key");
      if (!isPage) expect(act).toMatchObject({ actorId: caller.id, way: "key" });
      expect([act.actorId, act.actorKind]).not.toContain(null);
      expect(auditTargets.some((kind) => kind === act.targetKind)).toBe(true);
      expect(act.address).toBe("127.0.0.1");
      expect(act.createdAt).toBe(here.clock.now());
      // No password, and no key or token, which all are long.
      expect(act.details).not.toContain(password);
      expect(act.details.match(/[A-Za-z0-9]{24,}/g) ?? []).toEqual([]);
    }
  } finally {
    if (here !== world) await here.close();
  }
});

/** Calls that somebody is refused, each with those callers of three who are. */
const refusals = withKeys.flatMap((name) => {
  const call = calls[name];
  if (!call) return [];
  const isRefused = (caller: Caller) => outcomeFor(call.outcomes, caller) !== "ok";
  const refused = (["guest", "member", "outsider"] as const).filter(isRefused);
  return refused.length > 0 ? [{ name, call, refused }] : [];
});

test.each(refusals)("$name writes nothing where it is refused", async ({ name, call, refused }) => {
  const people = { guest: world.greta, member: world.alice, outsider };
  for (const caller of refused) {
    const person = people[caller];
    const asked = await call.prepare(world, person);
    const last = await newestId(world);
    expect(await askFor(person, name, asked)).toBe(outcomeFor(call.outcomes, caller));
    expect(await actsAfter(world, last)).toEqual([]);
  }
});

describe("a person in a browser", () => {
  test.each(Object.keys(sessionForms))("%s writes what it says", async (name) => {
    const person = await newPerson(world);
    await setPassword(world.operator, person.id, password);
    const browser = new Browser(world.site, person.host, true);
    await browser.submit("/login", { email: person.email, password });
    const last = await newestId(world);
    expect((await sessionForms[name]?.(browser))?.status).toBeLessThan(400);
    const acts = await actsAfter(world, last);
    expect(acts.map(({ action }) => action)).toEqual([...(auditOf(name)?.actions ?? [])]);
    expect(acts).toMatchObject([
      { actorKind: "person", actorId: person.id, way: "session", targetIds: `[${person.id}]` },
    ]);
    expect(acts[0]?.details).not.toContain("horse");
  });
});

test("each act is written by an endpoint or a command", () => {
  const byEndpoints = new Set(changing.flatMap((name) => auditOf(name)?.actions ?? []));
  const byCommands: AuditAction[] = [
    "api_key.revoke",
    "channel.renew_addresses",
    "device.remove",
    "group.reactivate",
    "login_link.create",
    "realm.apply",
    "realm.create",
    "realm.import",
    "realm.reactivate",
    "user.unlock",
  ];
  expect(auditActions.filter((action) => !byEndpoints.has(action))).toEqual(byCommands);
});
