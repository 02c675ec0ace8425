import { expect, test } from "bun:test";
import { Refusal, refusalOf } from "../../src/web/net/refusal";
import { reasonOf } from "../../src/web/store/notices";
import { words } from "../../src/web/words/words";

test("a reason is the server's words, or that it cannot be reached; never a browser's error", async () => {
  const { unreachable } = words.actions;
  expect(reasonOf(new Refusal(400, "BAD_REQUEST", "Too long."))).toBe("Too long.");
  expect(reasonOf(Refusal.of(new TypeError("Failed to fetch")))).toBe(unreachable);
  const ofProxy = new Response("<h1>502</h1>", { status: 502, statusText: "Bad Gateway" });
  expect(reasonOf(await refusalOf(ofProxy))).toBe(unreachable);
  // HTTP/2 has no words for a status.
  expect(reasonOf(await refusalOf(new Response("", { status: 403 })))).toBe(unreachable);
  const tooLarge = new Response("<h1>413</h1>", { status: 413, statusText: "Too Large" });
  expect(reasonOf(await refusalOf(tooLarge))).toBe(words.actions.proxyTooLarge);
  const own = Response.json({ code: "STORAGE", msg: "Wait a minute." }, { status: 503 });
  expect(reasonOf(await refusalOf(own))).toBe("Wait a minute.");
  expect(() => reasonOf(new RangeError("A bug."))).toThrow(RangeError);
});
