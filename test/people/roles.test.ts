import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { type BotKind, botKinds } from "../../src/people/bots/kinds";
import { endpoints } from "../../src/server";
import { endpointsForPeople } from "../support/api/api-facts";
import { calls } from "../support/api/calls/all-calls";
import {
  type Asked,
  askFor,
  type Call,
  type Caller,
  callers,
  endpointNames,
  type Outcome,
  outcomeFor,
} from "../support/api/calls/call";
import { pushFlags } from "../support/api/calls/device-calls";
import { mailFlags } from "../support/api/calls/mail-calls";
import { newBot, newOutsider, newPerson } from "../support/api/calls/things";
import { jwtFlags } from "../support/servers/web-token";
import { makeWorld, Person, type World } from "../support/world";

/** Rights to call each endpoint: every endpoint as everybody. */
type Cast = Record<Caller, Person>;

let world: World;
let cast: Cast;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
  cast = await assemble(world);
});
afterAll(() => world.close());

async function assemble(here: World): Promise<Cast> {
  const { olga, adam, mona, alice, greta, robot } = here;
  const deactivated = await newPerson(here);
  await olga.delete(`/users/${deactivated.id}`);
  const people = {
    owner: olga,
    administrator: adam,
    moderator: mona,
    member: alice,
    guest: greta,
    bot: robot,
  };
  const bots = {
    incomingWebhook: await newBot(here, botKinds.incomingWebhook),
    outgoingWebhook: await newBot(here, botKinds.outgoingWebhook),
    embeddedBot: await newBot(here, botKinds.embedded),
  };
  return {
    ...people,
    ...bots,
    deactivated,
    outsider: await newOutsider(here),
    anonymous: withoutKey(alice),
  };
}

/** Person before signing in. */
const withoutKey = ({ site, host, id, email, fullName }: Person) =>
  new Person(site, host, id, email, fullName);

const roleOf: Partial<Record<Caller, (typeof roles)[keyof typeof roles]>> = {
  owner: roles.owner,
  administrator: roles.administrator,
  moderator: roles.moderator,
  member: roles.member,
  guest: roles.guest,
};

const kindOf: Partial<Record<Caller, BotKind>> = {
  bot: botKinds.generic,
  incomingWebhook: botKinds.incomingWebhook,
  outgoingWebhook: botKinds.outgoingWebhook,
  embeddedBot: botKinds.embedded,
};

/** Somebody to call an endpoint that they are of no use after: as new as they are gone. */
async function spare(here: World, caller: Caller): Promise<Person> {
  const role = roleOf[caller];
  if (role !== undefined) return newPerson(here, role);
  const kind = kindOf[caller];
  if (kind !== undefined) return newBot(here, kind);
  return caller === "outsider" ? newOutsider(here) : (await assemble(here))[caller];
}

const isRead = (name: string) => /^(GET|HEAD|OPTIONS) /.test(name);

/** Arguments whose objects are still there, by endpoint. */
const stillThere = new Map<string, Asked>();

/**
 * Outcomes of a call for everybody. A refusal or a read leaves everything as it was. So the next
 * caller gets arguments that have been used for one, unless they are made for one caller. After a
 * change that is so only where the row says `servesAll`.
 */
async function outcomesOf(name: string, call: Call): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  let left: Asked | undefined;
  for (const caller of callers) {
    const isToSucceed = expectedOf(name, caller) === "ok";
    if (isToSucceed && call.spends === "world") {
      outcomes[caller] = await outcomeElsewhere(name, call, caller);
      continue;
    }
    const isSpent = isToSucceed && call.spends === "caller";
    const person = isSpent ? await spare(world, caller) : cast[caller];
    const asked: Asked = left ?? (await call.prepare(world, person));
    const outcome = await askFor(person, name, asked);
    outcomes[caller] = outcome;
    const isUsedUp = outcome === "ok" && !isRead(name) && !call.servesAll;
    left = isUsedUp || call.prepare.length > 1 ? undefined : asked;
  }
  if (left !== undefined) stillThere.set(name, left);
  return outcomes;
}

/** Outcome of a call that spends its world. */
async function outcomeElsewhere(name: string, call: Call, caller: Caller): Promise<Outcome> {
  const here = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
  try {
    const person = (await assemble(here))[caller];
    return await askFor(person, name, await call.prepare(here, person));
  } finally {
    await here.close();
  }
}

test("each endpoint has a row in test/support/calls, and each row its endpoint", () => {
  const missing = endpointNames.filter((name) => !Object.hasOwn(calls, name));
  expect(missing.map((name) => `add a row "${name}" to test/support/calls`)).toEqual([]);
  expect(Object.keys(calls).filter((name) => !endpointNames.includes(name))).toEqual([]);
});

describe("what everybody gets from", () => {
  test.each(endpointNames)("%s", async (name) => {
    const call = calls[name];
    if (!call) throw new Error(`add a row "${name}" to test/support/calls`);
    const expected = Object.fromEntries(
      callers.map((caller) => [caller, outcomeFor(call.outcomes, caller)]),
    );
    expect(await outcomesOf(name, call)).toEqual(expected);
  });
});

const expectedOf = (name: string, caller: Caller) =>
  calls[name] && outcomeFor(calls[name].outcomes, caller);

test("E4: what is named by the id of another organization is there for nobody of this one", () => {
  const named = endpointNames.filter((name) => /_id(_or_email|_str)?\}/.test(name));
  expect(named.filter((name) => expectedOf(name, "outsider") === "ok")).toEqual([]);
});

test("E9: who has not signed in changes nothing, but signs in", () => {
  const changing = endpointNames.filter((name) => !/^(GET|HEAD|OPTIONS) /.test(name));
  const isOpen = (name: string) => expectedOf(name, "anonymous")?.startsWith("401") !== true;
  expect(changing.filter(isOpen)).toEqual([
    "POST /fetch_api_key",
    "POST /jwt/fetch_api_key",
    // It asks for the API key, which stands in the address.
    "POST /external/{integration}",
    // These lead whoever is not signed in to the login page.
    ...["/login", "/login/", "/logout", "/logout/everywhere"].map(
      (path) => `POST the page ${path}`,
    ),
    ...["/account/key", "/account/password"].map((path) => `POST the page ${path}`),
    "POST the page /login/link/{token}",
    // These mail a link to somebody, and that is what tells who they are.
    ...["/login/mail", "/password/reset", "/password/reset/{token}"].map(
      (path) => `POST the page ${path}`,
    ),
    "POST the page /register",
    "POST the page /register/{token}",
    "POST the page /unsubscribe/{kind}/{user_id}/{token}",
    "POST the page /account/address/{token}",
    "POST the page /join/{token}",
    "POST the page /join/{token}/{proof}",
  ]);
});

test("bots are refused wherever the protocol wants a person, but for what level 496 has opened to them", () => {
  const bots: Caller[] = ["bot", "outgoingWebhook", "embeddedBot"];
  const isOpenToBots = (name: string) => bots.some((caller) => expectedOf(name, caller) === "ok");
  const openToBots = endpointsForPeople().filter(isOpenToBots);
  expect(openToBots).toEqual(["GET /user_groups/{user_group_id}/members/{user_id}"]);
  expect(expectedOf("POST /user_groups/create", "bot")).toBe("ok");
  const unlisted = endpointsForPeople().filter((name) => calls[name] === undefined);
  expect(unlisted).toEqual([]);
});

test("a key of another organization opens nothing here", async () => {
  const { outsider, member } = cast;
  const intruder = new Person(
    world.site,
    world.olga.host,
    outsider.id,
    outsider.email,
    "N",
    outsider.credentials?.apiKey,
  );
  for (const { method, path, who, body } of endpoints) {
    // The sender of a webhook has the key of the call in the address: see
    // incoming-webhooks.test.ts.
    if (who === "anyone" || body.kind === "webhook") continue;
    const name = `${method} ${path}`;
    // Objects are made only for addresses that name them, because the key is looked at first.
    const isNamed = path.includes("{");
    const asked = isNamed
      ? (stillThere.get(name) ?? (await calls[name]?.prepare(world, member)))
      : {};
    expect([name, await askFor(intruder, name, asked ?? {})]).toEqual([
      name,
      method === "HEAD" ? "401" : "401 UNAUTHORIZED",
    ]);
  }
});
