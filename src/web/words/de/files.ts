import type { files as english } from "../en/files";
import { messages } from "./counts";

/** Words of the list of one's own files, in German. */
export const files: typeof english = {
  andMore: (count) => `und ${messages(count)} mehr`,
  delete: "Löschen",
  deleteNamed: (name) => `Löschen: ${name}`,
  deleted: "Datei gelöscht.",
  deleteTitle: (name) => `${name} löschen?`,
  deleteWarning: (uses) =>
    uses === 0
      ? "Keine Nachricht verweist darauf. Das lässt sich nicht rückgängig machen."
      : `Links auf die Datei in ${messages(uses)} funktionieren dann für niemanden mehr. Das lässt sich nicht rückgängig machen.`,
  filter: "Dateien nach Namen filtern",
  none: "Keine Dateien.",
  noneHelp: "Hier erscheinen Dateien, die du hochlädst, mit den Nachrichten, die darauf verweisen.",
  order: "Reihenfolge der Dateien",
  orders: {
    newest: "Neueste zuerst",
    oldest: "Älteste zuerst",
    largest: "Größte zuerst",
    name: "Nach Namen",
  },
  space: (own, used, allowed) =>
    `Deine Dateien belegen ${own}. Die der Organisation belegen ${used}${allowed === undefined ? "" : ` von ${allowed}`}.`,
  unused: "Keine Nachricht verweist darauf.",
  usedIn: (place) => `In ${place}`,
};
