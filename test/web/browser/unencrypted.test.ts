import { browserTest, stage } from "../browser";
import { until } from "../waiting";

/* The client at an address of the local network, which is not encrypted: browsers give it less there. */

const on = stage();

browserTest("on an unencrypted address drafts are stored, and the title counts", async () => {
  const { alice, bob, channels } = on.world;
  const page = await on.newTab(alice);
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
  await on.openIn(page, `#narrow/channel/${channels.general}-general/topic/lan`);
  await page.locator(".compose textarea").fill("A text for another device");
  await until(async () => (await alice.get("/drafts")).body.drafts.length === 1);
  await bob.tell([alice], "Are you there?");
  await page.waitForFunction(() => document.title.startsWith("(1)"));
});
