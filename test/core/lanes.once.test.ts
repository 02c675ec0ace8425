import { expect, test } from "bun:test";
import type { Actor, RealmRow, UserRow } from "../../src/core/context";
import { spectatorOf } from "../../src/core/rights/spectator";
import { laneOf } from "../../src/core/turns/fair-queue";

const realmOf = (id: number) => ({ id }) as RealmRow;
const [acme, umbra] = [realmOf(2), realmOf(3)];
const lane = (actor: Actor, realm = acme) => laneOf({ realm, actor });
const person = (id: number): Actor => ({ kind: "user", user: { id } as UserRow, apiKeyId: 1 });

test("People who are not signed in share one lane of their organization, whether they read it as spectators or not", () => {
  const strangers = lane({ kind: "anonymous" });
  expect(lane(spectatorOf(acme))).toBe(strangers);
  expect(lane({ kind: "anonymous" }, umbra)).not.toBe(strangers);
  expect(lane(spectatorOf(umbra), umbra)).toBe(lane({ kind: "anonymous" }, umbra));
});

test("Every account has a lane of its own, and so has the operator, beside that of strangers", () => {
  const others: Actor[] = [spectatorOf(acme), { kind: "operator" }];
  const lanes = [person(7), person(8), ...others].map((actor) => lane(actor));
  expect(new Set(lanes).size).toBe(4);
  expect(lane(person(7))).toBe(lanes[0] ?? "");
});
