import { expect } from "bun:test";
import { notifications as words } from "../../../src/web/words/en/notifications";
import { until as untilHolds } from "../../support/polls";
import { worldHost } from "../../support/world";
import { drivenTab } from "./driven-tab";
import type { EngineStage } from "./engine";
import type { RunningFirefox } from "./firefox";
import type { PushService } from "./push-service";
import { type Tab, until, untilMessage } from "./tab";

const granted = 1;

/** Settings with which Firefox is pushed to by a service. */
export const pushedBy = (service: PushService) => ({
  // A browser that is driven makes no connection by itself.
  "dom.push.connection.enabled": true,
  "dom.push.serverURL": service.socketAddress,
  "dom.push.testing.allowInsecureServerURL": true,
  "permissions.default.desktop-notification": granted,
  // The browser's own windows show notifications, and no service of the desktop.
  "alerts.useSystemBackend": false,
});

/** Clicks on the button that has this text, as soon as it is there. */
async function press(tab: Tab, text: string): Promise<void> {
  const buttonIsThere = (of: string) =>
    [...document.querySelectorAll("button")].some(({ textContent }) => textContent === of);
  await until(tab, buttonIsThere, text);
  await tab.evaluate((of) => {
    for (const button of document.querySelectorAll("button"))
      if (button.textContent === of) button.click();
  }, text);
}

/** Waits until the screen has notifications with these texts, and no others. */
async function untilShown(
  { browser }: EngineStage<RunningFirefox>,
  bodies: readonly string[],
): Promise<void> {
  await untilHolds(async () => {
    const alerts = await browser.alerts();
    return JSON.stringify(alerts.map(({ body }) => body)) === JSON.stringify(bodies);
  });
}

/** A case in which Firefox is pushed to by a service. */
export function pushCases(on: EngineStage<RunningFirefox>, service: PushService): void {
  const shows = (...bodies: readonly string[]) => untilShown(on, bodies);
  on.test(
    "Firefox is pushed to while no page is open: shown, withdrawn when read elsewhere, opened",
    async () => {
      const { alice, bob, pass } = on.world;
      const tab = await on.open(bob, "#settings/notifications");
      await press(tab, words.pushTurnOn);
      await until(tab, (text) => document.body.textContent.includes(text), words.pushOn);
      await tab.go("about:blank");

      const soup = await alice.tell([bob], "soup");
      await pass(0);
      await shows("soup");
      expect(await on.browser.alerts()).toMatchObject([{ title: "Alice" }]);
      await bob.post("/messages/flags", { messages: [soup], op: "add", flag: "read" });
      await pass(0);
      await shows();

      const bread = await alice.say("general", "lunch", "@**Bob** bread");
      await pass(0);
      await shows("@Bob bread");
      await on.browser.clickAlert("@Bob bread");
      const opened = drivenTab(await on.browser.openedTab(`/near/${bread}`));
      await untilMessage(opened, "bread");
      await shows();

      await opened.close();

      await tab.go(`https://${worldHost}/#settings/notifications`);
      await press(tab, words.pushTurnOff);
      await untilHolds(() => service.ended.length === 1);
      await untilHolds(async () => {
        const { body } = await bob.get("/push_subscriptions");
        return body.push_subscriptions.length === 0;
      });
    },
  );
}
