import { messages } from "./counts";

/** Texts of notifications, and of the choices about them. */
export const notifications = {
  directWith: (name: string, others: string) => `${name} (with ${others})`,
  inTopic: (name: string, channel: string, topic: string) => `${name} (#${channel} › ${topic})`,
  several: (title: string, count: number) => `${title} · ${messages(count)}`,
  hiddenText: "New direct message",
  title: "Notifications in this browser",
  unsupported: "This browser does not support notifications.",
  off: "This browser does not show notifications yet.",
  turnOn: "Turn on notifications",
  on: "Notifications are on in this browser.",
  refused: "This browser blocks notifications from this site.",
  refusedHelp:
    "Allow them in the browser's settings for this site, next to its address, and reload the page.",
  test: "Show a test notification",
  testText: "This is what a notification looks like.",
  playSound: "Play the sound",
  devices: "Browsers and phones that get notifications",
  noDevices: "None: you get notifications only while a page is open.",
  deviceKinds: {
    web_push: "Browser",
    unified_push: "App with UnifiedPush",
    ntfy: "ntfy",
    phone: "Phone or tablet",
  },
  deviceAt: (kind: string, host: string) => `${kind}, by ${host}`,
  deviceNumbered: (name: string, number: number) => `${name} (${number})`,
  deviceEnded: "It no longer gets notifications.",
  deviceFailed: "cannot be reached",
  endDevice: "Remove",
  endDeviceNamed: (name: string, since: string) =>
    since === "" ? `Remove: ${name}` : `Remove: ${name}, ${since}`,
  thisBrowser: "this browser",
  pushOff: "It shows none while no page is open.",
  pushTurnOn: "Also while no page is open",
  pushOn: "It shows them even while no page is open.",
  pushTurnOff: "Only while a page is open",
  pushTest: "Send a test notification",
  pushRefused:
    "This browser’s push service does not allow push notifications. Try another browser.",
};
