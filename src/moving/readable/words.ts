import { inLanguages } from "../../core/language";

const en = {
  search: "Search all messages",
  channels: "Channels",
  direct: "Direct messages",
  nothing: "Nothing was found.",
  messages: (count: number) => (count === 1 ? "1 message" : `${count} messages`),
  more: "There are more results: add another word.",
  earlier: "Earlier messages",
  later: "Later messages",
  overview: "Overview",
  edited: "edited",
};

const de: typeof en = {
  search: "In allen Nachrichten suchen",
  channels: "Kanäle",
  direct: "Direktnachrichten",
  nothing: "Nichts gefunden.",
  messages: (count) => (count === 1 ? "1 Nachricht" : `${count} Nachrichten`),
  more: "Es gibt mehr Treffer: Gib ein weiteres Wort ein.",
  earlier: "Frühere Nachrichten",
  later: "Spätere Nachrichten",
  overview: "Übersicht",
  edited: "bearbeitet",
};

/** Texts of the pages of a readable export. */
export const readableWords = inLanguages({ en, de });
