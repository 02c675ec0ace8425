import { afterAll, expect } from "bun:test";
import { notifications as words } from "../../../src/web/words/en/notifications";
import { until as untilHolds } from "../../support/polls";
import { worldHost } from "../../support/world";
import { drivenTab } from "../engines/driven-tab";
import { engineStage } from "../engines/engine";
import { firefoxWith } from "../engines/firefox";
import { PushService } from "../engines/push-service";
import { type Tab, until, untilMessage } from "../engines/tab";

const service = new PushService();
afterAll(service.stop);

const granted = 1;
const firefox = firefoxWith({
  // A browser that is driven makes no connection by itself.
  "dom.push.connection.enabled": true,
  "dom.push.serverURL": service.socketAddress,
  "dom.push.testing.allowInsecureServerURL": true,
  "permissions.default.desktop-notification": granted,
  // The browser's own windows show notifications, and no service of the desktop.
  "alerts.useSystemBackend": false,
});
const on = engineStage(firefox, { outbound_networks_allowed: "127.0.0.0/8" });

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
async function shows(...bodies: readonly string[]): Promise<void> {
  await untilHolds(async () => {
    const alerts = await on.browser.alerts();
    return JSON.stringify(alerts.map(({ body }) => body)) === JSON.stringify(bodies);
  });
}

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
