import { beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { dangerousLinks, dangerousSources } from "../../support/dangerous-markdown";
import { browserTest, stage } from "../browser";
import { setHostileScene } from "../hostile-scene";
import { visitScene } from "../scene-openings";

const on = stage();
const scene = stage();
const slowMilliseconds = 180_000;
const sources = [...dangerousSources, ...dangerousLinks];

/**
 * Elements that are not the page's own and would act by themselves, or lead where no link may lead.
 */
const dangerIn = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll("body *")];
    const acting = elements.filter(
      (element) =>
        element.matches("style, iframe, object, embed, script:not(#snapshot, [src])") ||
        element.matches("form[action]:not([action^='/logout'])") ||
        [...element.attributes].some(({ name }) => name.startsWith("on")) ||
        /^\s*(javascript|vbscript|data):/i.test(element.getAttribute("href") ?? ""),
    );
    return acting.map(({ outerHTML }) => outerHTML);
  });

/** Notes each script of somebody else's that runs. */
async function watchScripts(page: Page): Promise<string[]> {
  const run: string[] = [];
  page.on("dialog", async (dialog) => {
    run.push(dialog.message());
    await dialog.dismiss();
  });
  return run;
}

beforeAll(async () => {
  for (const source of sources)
    await on.world.alice.say("general", source.replaceAll(/\s+|\p{C}/gu, " ").slice(0, 60), source);
}, 60_000);

browserTest(
  "content, topics and names that try to act are texts, and the policy is not touched",
  async () => {
    const { adam, bob } = on.world;
    const name = "<img src=x onerror=alert(1)>";
    await adam.patch(`/streams/${on.world.channels.general}`, {
      new_name: name,
      description: name,
    });
    await adam.patch("/realm", { name });
    const page = await on.open(bob);
    const run = await watchScripts(page);
    for (const fragment of ["#feed", "#inbox", "#recent"]) {
      await page.evaluate((at) => location.assign(at), fragment);
      await page.getByText(name).first().waitFor();
      expect(await dangerIn(page)).toEqual([]);
    }
    expect(run).toEqual([]);
  },
);

browserTest("HTML that a server would let through does not run either", async () => {
  const { bob, channels } = on.world;
  const page = await on.open(bob, "#narrow/is/starred");
  const run = await watchScripts(page);
  await page.route("**/api/v1/messages?*", async (route) => {
    const { body: answer } = await bob.get("/messages", {
      anchor: "newest",
      num_before: 50,
      num_after: 0,
      client_gravatar: true,
    });
    for (const [index, message] of answer.messages.entries())
      message.content = `${sources[index % sources.length]}<img src="/none.png" onerror="alert(1)"><a href="javascript:alert(2)">link</a><svg onload="alert(3)"></svg>`;
    await route.fulfill({ json: answer });
  });
  await page.evaluate((at) => location.assign(at), `#narrow/channel/${channels.general}`);
  await page.getByRole("link", { name: "link" }).last().click();
  expect(run).toEqual([]);
  expect(on.complaints.splice(0).join("\n")).toContain("Content Security Policy");
});

browserTest(
  "no name of anything acts in any view, nor in what opens above one",
  async () => {
    const { world } = scene;
    const taken = await setHostileScene(world);
    expect(Object.entries(taken).filter(([, count]) => count < 4)).toEqual([]);
    const page = await scene.open(world.alice, "#inbox");
    const run = await watchScripts(page);
    const found: string[] = [];
    await visitScene({ page, world }, async (name) => {
      for (const element of await dangerIn(page)) found.push(`${name}: ${element}`);
    });
    expect([found, run]).toEqual([[], []]);
  },
  slowMilliseconds,
);
