import type { emoji as english } from "../en/emoji";
import { grouped } from "./counts";

/** Words about the organization's own emoji, in German. */
export const emoji: typeof english = {
  add: "Hinzufügen",
  added: (name) => `:${name}: wurde hinzugefügt.`,
  addOne: "Ein Emoji hinzufügen",
  by: (name) => `von ${name}`,
  choose: "Bild wählen",
  drop: "oder eines hier ablegen",
  found: (count) => `${grouped(count)} Emoji`,
  gone: (name) => `:${name}: wurde schon entfernt.`,
  help: "Alle in der Organisation können diese in Nachrichten, als Reaktionen und im Status verwenden.",
  name: "Name",
  nameFaults: {
    builtIn: (name) =>
      `:${name}: ist ein Emoji, das alle haben. Nur Administratoren dürfen es ersetzen.`,
    characters: () =>
      "Ein Name hat nur Kleinbuchstaben von a bis z, Ziffern, Bindestriche, Unterstriche und Punkte.",
    empty: () => "Gib dem Emoji einen Namen.",
    end: () => "Ein Name endet auf einen Buchstaben oder eine Ziffer.",
    taken: (name) => `Ein eigenes Emoji :${name}: gibt es schon.`,
  },
  nameHelp: "Man schreibt ihn zwischen Doppelpunkte, zum Beispiel :party_katze:",
  none: "Es gibt noch keine eigenen Emoji.",
  noneFound: "Kein eigenes Emoji hat diesen Namen oder ist von dieser Person.",
  picture: "Bild",
  pictureHelp: (movingMib) =>
    `Ein PNG, JPEG, WebP oder GIF. Es wird klein gezeigt, höchstens 64 Pixel breit und hoch. Nur ein GIF kann animiert sein. Es darf dann höchstens ${grouped(movingMib)} MiB groß sein.`,
  pictureLarge: (mib) => `Ein Bild darf höchstens ${grouped(mib)} MiB groß sein.`,
  pictureMissing: "Wähle zuerst ein Bild.",
  pictureUnreadable: "Diese Datei ist kein Bild, das der Browser lesen kann.",
  readNote: "Lies den Hinweis beim Namen und wähle dann noch einmal „Hinzufügen“.",
  remove: "Entfernen",
  removed: (name) => `:${name}: wurde entfernt.`,
  removeHelp:
    "Es lässt sich nicht mehr wählen. Nachrichten, Reaktionen und Status, die es haben, behalten es, und sein Name wird wieder frei.",
  removeNamed: (name) => `:${name}: entfernen`,
  replaces: (name) =>
    `:${name}: ist ein Emoji, das alle haben. Deines ersetzt es in der ganzen Organisation.`,
  search: "Emoji suchen",
  title: "Eigene Emoji",
};
