import { messages } from "./counts";

/** Texts of notifications, and of the choices about them. */
export const notifications = {
  directWith: (name: string, others: string) => `${name} (with ${others})`,
  inTopic: (name: string, channel: string, topic: string) => `${name} (#${channel} › ${topic})`,
  several: (title: string, count: number) => `${title} · ${messages(count)}`,
  hiddenText: "New direct message",
  title: "Notifications in this browser",
  unsupported: "This browser shows no notifications.",
  off: "This browser does not show notifications yet.",
  turnOn: "Turn on notifications",
  on: "Notifications are on in this browser.",
  refused: "This browser refuses notifications of this site.",
  refusedHelp: "Allow them in the settings of the site, beside its address, and reload the page.",
  test: "Show a test",
  testText: "This is how a message is told.",
  playSound: "Play the sound",
  pushOff: "While no page is open, it shows none.",
  pushTurnOn: "Also while no page is open",
  pushOn: "It shows them while no page is open too.",
  pushTurnOff: "Only while a page is open",
  pushTest: "Push a test",
  pushRefused: "The browser’s push service refuses it. Another browser may do.",
};
