import { describe, expect, test } from "bun:test";
import { bodyOf, headerOf, Refusal } from "../../src/web/net/refusal";

/** The page of a network that wants to be agreed to first; it answers in place of the server. */
const portal = () =>
  new Response("<h1>Welcome to the train</h1>", { headers: { "content-type": "text/html" } });

describe("a request through a network that answers with a page of its own", () => {
  test("is refused, so that it can be tried again", async () => {
    const refusal = await bodyOf(portal()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ status: 0 });
  });

  test("does not begin anew for ever where it goes in parts", () => {
    expect(() => headerOf(portal(), "upload-offset")).toThrow(Refusal);
    expect(() => headerOf(portal(), "location")).toThrow(Refusal);
    const parts = new Response(null, { headers: { "upload-offset": "0" } });
    expect(headerOf(parts, "upload-offset")).toBe("0");
  });
});
