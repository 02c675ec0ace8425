import { en as words } from "../../../src/web/words/en";
import { nothingKept, readKept } from "../kept-by-browser";
import { until as untilHolds } from "../waiting";
import type { EngineStage } from "./engine";
import { type Tab, until, untilMessage } from "./tab";

/** All that the browser keeps; nothing of it is known while a page is left for another. */
const keptIn = (tab: Tab): Promise<string> => tab.evaluate(readKept).catch(() => "");

/** Waits until the files of the page are kept, and a text among messages or the state. */
async function untilKept(tab: Tab, text: string): Promise<void> {
  const isKept = new RegExp(`"files":\\[[1-9].*${text}`);
  await untilHolds(async () => isKept.test(await keptIn(tab)));
}

const shows = (text: string) => document.body.textContent.includes(text);

/** A case in which Firefox opens the page without the server. */
export function offlineCases(on: EngineStage): void {
  on.test("Firefox opens the page without the server, as it has kept it, and goes on", async () => {
    const { alice, bob, channels } = on.world;
    await alice.say("general", "lunch", "Soup at noon");
    await alice.say("general", "elsewhere", "Never opened");
    const topic = (name: string) => `#narrow/channel/${channels.general}-general/topic/${name}`;
    const tab = await on.open(bob, topic("lunch"));
    await untilMessage(tab, "Soup at noon");
    await untilKept(tab, "Never opened");
    on.network.cut();
    await tab.reload();
    await until(tab, shows, words.offline);
    await untilMessage(tab, "Soup at noon");
    await tab.evaluate((hash) => location.assign(hash), topic("elsewhere"));
    await untilMessage(tab, "Never opened");
    on.network.mend();
    await alice.say("general", "elsewhere", "After all");
    await untilMessage(tab, "After all");
    await until(tab, (text) => !document.body.textContent.includes(text), words.offline);
    // Nothing of a person stays in the browser that they sign out of.
    await tab.evaluate(() => location.assign("#settings/account"));
    await until(
      tab,
      () => document.querySelector('form[action="/logout"] button') !== null,
      undefined,
    );
    await tab.evaluate(() =>
      document.querySelector<HTMLElement>('form[action="/logout"] button')?.click(),
    );
    await until(tab, (path) => location.pathname === path, "/login");
    await untilHolds(async () => (await keptIn(tab)) === nothingKept);
  });
}
