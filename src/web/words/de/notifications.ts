import type { notifications as english } from "../en/notifications";
import { messages } from "./counts";

/** Texts of notifications, and of the choices about them, in German. */
export const notifications: typeof english = {
  directWith: (name, others) => `${name} (mit ${others})`,
  inTopic: (name, channel, topic) => `${name} (#${channel} › ${topic})`,
  several: (title, count) => `${title} · ${messages(count)}`,
  hiddenText: "Neue Direktnachricht",
  title: "Benachrichtigungen in diesem Browser",
  unsupported: "Dieser Browser unterstützt keine Benachrichtigungen.",
  off: "Dieser Browser zeigt noch keine Benachrichtigungen.",
  turnOn: "Benachrichtigungen einschalten",
  on: "Benachrichtigungen sind in diesem Browser eingeschaltet.",
  refused: "Dieser Browser blockiert Benachrichtigungen dieser Website.",
  refusedHelp:
    "Erlaube sie in den Einstellungen des Browsers für diese Website, neben ihrer Adresse, und lade die Seite neu.",
  devices: "Browser und Telefone, die Benachrichtigungen bekommen",
  noDevices: "Keine: Du bekommst Benachrichtigungen nur, solange eine Seite offen ist.",
  deviceKinds: {
    web_push: "Browser",
    unified_push: "App mit UnifiedPush",
    ntfy: "ntfy",
    phone: "Telefon oder Tablet",
  },
  deviceAt: (kind, host) => `${kind}, über ${host}`,
  deviceNumbered: (name, number) => `${name} (${number})`,
  deviceEnded: "Dort kommen keine Benachrichtigungen mehr an.",
  deviceFailed: "nicht erreichbar",
  endDevice: "Entfernen",
  endDeviceNamed: (name, since) =>
    since === "" ? `Entfernen: ${name}` : `Entfernen: ${name}, ${since}`,
  thisBrowser: "dieser Browser",
  pushOff: "Solange keine Seite offen ist, zeigt er keine.",
  pushTurnOn: "Auch wenn keine Seite offen ist",
  pushOn: "Er zeigt sie auch, wenn keine Seite offen ist.",
  pushTurnOff: "Nur wenn eine Seite offen ist",
  pushTest: "Eine Testbenachrichtigung senden",
  pushRefused:
    "Der Push-Dienst dieses Browsers lässt keine Push-Benachrichtigungen zu. Versuche es mit einem anderen Browser.",
  test: "Eine Testbenachrichtigung zeigen",
  testText: "So sieht eine Benachrichtigung aus.",
  playSound: "Ton abspielen",
};
