import { expect, test } from "bun:test";
import { laneOf } from "../../src/core/fair-line";

const acme = { id: 2 } as Parameters<typeof laneOf>[0]["realm"];
const lane = (address: string) =>
  laneOf({ realm: acme, actor: { kind: "anonymous" }, clientAddress: () => address });

test("People who are not signed in share a lane with their own address alone", () => {
  expect(lane("192.0.2.1")).toBe(lane("192.0.2.1"));
  expect(lane("192.0.2.1")).not.toBe(lane("192.0.2.2"));
  expect(lane("2001:db8:0:7::1")).toBe(lane("2001:db8:0:7::2"));
  expect(lane("2001:db8:0:7::1")).not.toBe(lane("2001:db8:0:8::1"));
});
