import type { notifications as english } from "../en/notifications";
import { messages } from "./counts";

/** Texts of notifications, and of the choices about them, in German. */
export const notifications: typeof english = {
  directWith: (name, others) => `${name} (mit ${others})`,
  inTopic: (name, channel, topic) => `${name} (#${channel} › ${topic})`,
  several: (title, count) => `${title} · ${messages(count)}`,
  hiddenText: "Neue Direktnachricht",
  title: "Benachrichtigungen in diesem Browser",
  unsupported: "Dieser Browser zeigt keine Benachrichtigungen.",
  off: "Dieser Browser zeigt noch keine Benachrichtigungen.",
  turnOn: "Benachrichtigungen einschalten",
  on: "Benachrichtigungen sind in diesem Browser eingeschaltet.",
  refused: "Dieser Browser lehnt Benachrichtigungen dieser Seite ab.",
  refusedHelp:
    "Erlaube sie in den Einstellungen der Website, neben ihrer Adresse, und lade die Seite neu.",
  devices: "Browser und Telefone, an die gesendet wird",
  noDevices: "Keine: Du erfährst von Nachrichten, solange eine Seite offen ist.",
  deviceKinds: {
    web_push: "Browser",
    unified_push: "App mit UnifiedPush",
    ntfy: "ntfy",
    phone: "Telefon oder Tablet",
  },
  deviceAt: (kind, host) => `${kind}, über ${host}`,
  deviceNumbered: (name, number) => `${name} (${number})`,
  deviceEnded: "Dorthin wird nichts mehr gesendet.",
  deviceFailed: "vom Relay abgelehnt",
  endDevice: "Beenden",
  endDeviceNamed: (name, since) =>
    since === "" ? `Beenden: ${name}` : `Beenden: ${name}, ${since}`,
  thisBrowser: "dieser Browser",
  pushOff: "Solange keine Seite offen ist, zeigt er keine.",
  pushTurnOn: "Auch wenn keine Seite offen ist",
  pushOn: "Er zeigt sie auch, wenn keine Seite offen ist.",
  pushTurnOff: "Nur wenn eine Seite offen ist",
  pushTest: "Eine Probe senden",
  pushRefused: "Der Dienst dieses Browsers lehnt es ab. Ein anderer Browser kann es vielleicht.",
  test: "Eine zur Probe zeigen",
  testText: "So wird eine Nachricht gemeldet.",
  playSound: "Ton abspielen",
};
