import type { changes as english } from "../en/changes";
import { grouped, plural } from "./counts";

/** Words for changing a message, and for what has become of it, in German. */
export const changes: typeof english = {
  changedMeanwhile: "Jemand anderes hat diese Nachricht bearbeitet. Jetzt steht dort:",
  deleteTitle: "Diese Nachricht löschen?",
  deleteWarning: "Sie wird für alle gelöscht. Das lässt sich nicht rückgängig machen.",
  editedBy: (who) => `${who} hat bearbeitet`,
  giveUp: "Verwerfen",
  gone: "Die Nachricht ist weg",
  goneHelp: "Sie wurde gelöscht, während du sie geändert hast. Hier ist dein Text:",
  goneOfLink: "Die Nachricht dieses Links wurde gelöscht, oder du darfst sie nicht lesen.",
  goOn: "Weiter bearbeiten",
  history: "Bearbeitungsverlauf",
  moveAll: "Alle Nachrichten des Themas",
  moved: (channel, topic) => `Verschoben nach ${channel} › ${topic}`,
  movedBy: (who) => `${who} hat verschoben`,
  movedHere: "Die Nachricht wurde hierher verschoben.",
  topicMovedHere:
    "Das Thema wurde hierher verschoben. Um es neu zu beginnen, öffne den früheren Namen noch einmal.",
  movedOfLink: (place) => `Die Nachricht dieses Links wurde nach ${place} verschoben.`,
  moveLater: "Diese und alle späteren Nachrichten",
  moveNotices: "Hinweis schreiben",
  moveOne: "Diese Nachricht",
  moveTitle: "Nachricht verschieben",
  moveWhich: "Verschieben",
  noReaders: "Noch niemand hat sie gelesen.",
  readers: (count) =>
    plural.select(count) === "one"
      ? "1 Person hat das gelesen"
      : `${grouped(count)} Personen haben das gelesen`,
  sentBy: (who) => `${who} hat geschrieben`,
  source: "Quelltext der Nachricht",
  takeTheirs: "Den anderen Text übernehmen",
  tellNew: "Im neuen Thema",
  tellOld: "Im alten Thema",
};
