import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

/* Names that are longer than their places. */

const on = stage();

const longName = "Cross-departmental quality assurance measures 2026 X1";
const longTopic = "A very long topic about quality in all of our departments";

/** Cut parts of the page, of which each is pointed at, with the text that the pointer shows. */
async function cutParts(page: Page, area: string): Promise<(readonly [string, string | null])[]> {
  const found: [string, string | null][] = [];
  const parts = page.locator(`${area} :is(span, bdi, small, b, p)`);
  // A count may vanish meanwhile. Then a locator would wait for its place in the list.
  for (const part of await parts.elementHandles()) {
    const isCut = await part.evaluate(
      (one) =>
        one instanceof HTMLElement &&
        one.scrollWidth > one.clientWidth &&
        getComputedStyle(one).textOverflow === "ellipsis",
    );
    if (!isCut) continue;
    await part.hover();
    const [text, title] = [await part.textContent(), await part.getAttribute("title")];
    found.push([text ?? "", title]);
  }
  return found;
}

browserTest("the pointer shows each name that is cut off, and only those", async () => {
  const { alice, bob, olga } = on.world;
  const subscriptions = [
    { name: longName, description: `${longTopic}, ${longTopic}, ${longTopic}` },
  ];
  const principals = [alice.id, bob.id];
  expect((await olga.post("/users/me/subscriptions", { subscriptions, principals })).status).toBe(
    200,
  );
  await bob.say(longName, longTopic, "Here.");
  const renamed = { full_name: "Maximiliane-Friederike von und zu Hohenstein" };
  expect((await olga.patch(`/users/${bob.id}`, renamed)).status).toBe(200);
  await bob.tell([alice], "Hello");
  const { body } = await alice.get("/get_stream_id", { stream: longName });
  const page = await on.open(alice, `#narrow/channel/${body.stream_id}/topic/${longTopic}`);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.getByText("Here.").waitFor();
  await page.locator(".side .line").first().waitFor();
  for (const area of [".rail nav", ".head", ".side"]) {
    const cut = await cutParts(page, area);
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.filter(([text, title]) => text !== title)).toEqual([]);
  }
  const whole = page.locator(".rail nav .name", { hasText: "Inbox" });
  await whole.hover();
  expect(await whole.getAttribute("title")).toBe(null);
});
