import { actions } from "./de/actions";
import { grouped, messages } from "./de/counts";
import { views } from "./de/views";
import type { Words } from "./en";

/** Keys as they are written on German keyboards. */
const keyNames = new Map([
  ["Ctrl", "Strg"],
  ["End", "Ende"],
  ["Enter", "Eingabe"],
  ["Home", "Pos1"],
  ["PageDown", "Bild↓"],
  ["PageUp", "Bild↑"],
  ["Shift", "Umschalt"],
  ["Space", "Leertaste"],
]);

/** Texts of the web client in German. */
export const de: Words = {
  actions,
  allMessages: "Alle Nachrichten",
  back: "Zurück zu den Unterhaltungen",
  channels: "Kanäle",
  close: "Schließen",
  conversations: "Unterhaltungen",
  directMessages: "Direktnachrichten",
  copied: "Kopiert",
  copyCode: "Kopieren",
  offline:
    "Keine Verbindung. Hier steht, was dieser Browser gespeichert hat; was du schreibst, wird gesendet, sobald der Server wieder da ist.",
  disconnected: "Der Server ist nicht erreichbar. Neuer Versuch läuft…",
  edited: "(bearbeitet)",
  emptyChannels: "Du bist noch in keinem Kanal.",
  emptyDirect: "Noch niemand hat dir direkt geschrieben.",
  foundInside: "Treffer darin",
  keys: (keys) => keys.replaceAll(/\w{2,}/g, (name) => keyNames.get(name) ?? name),
  loading: "Nachrichten werden geladen…",
  messages: "Nachrichten",
  moved: "(verschoben)",
  newMessages: (count) => `${grouped(count)} neu`,
  noTopic: "general chat",
  notes: "Notizen an dich selbst",
  notCopied: "Nicht kopiert",
  notLoaded: (why) => `Nicht geladen: ${why}`,
  nowhere: "Dieser Link führt hier ins Leere.",
  nowhereHelp:
    "Vielleicht gibt es den Kanal oder die Nachricht nicht mehr, du darfst sie nicht sehen, oder der Link wurde nicht vollständig kopiert.",
  reactions: (emoji, count, who) => `${emoji}: ${grouped(count)} (${who})`,
  pinned: "Angeheftet",
  reactionList: "Reaktionen",
  bot: "Bot",
  runIn: (playground) => `In ${playground} ausführen`,
  roles: new Map([
    [100, "Besitzer"],
    [200, "Administrator"],
    [300, "Moderator"],
    [600, "Gast"],
  ]),
  searchResults: "Suchergebnisse",
  showInConversation: "In der Unterhaltung anzeigen",
  toNewest: "Zur neuesten Nachricht",
  tryAgain: "Noch einmal versuchen",
  unknownUser: "Unbekannte Person",
  unread: (count) => `${messages(count)} ungelesen`,
  views,
  arrivals: {
    one: (name, text) => `${name}: ${text}`,
    more: (name, text, count) => `${name}: ${text}, und ${grouped(count)} weitere`,
  },
  you: "du",
};
