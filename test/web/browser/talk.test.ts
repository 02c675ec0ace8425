import { expect } from "bun:test";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

const on = stage();

browserTest("what Alice sends, Bob sees", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(bob);
  await alice.say("general", "lunch", "Soup at **noon**?");
  const row = page.getByRole("article").filter({ hasText: "Soup at noon?" });
  await row.waitFor();
  await eventually(async () => expect(await row.locator("strong").textContent()).toBe("noon"));
});
