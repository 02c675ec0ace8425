import type { widgets as english } from "../en/widgets";
import { grouped, plural } from "./counts";

/** Words of polls and to-do lists, in German. */
export const widgets: typeof english = {
  add: "Hinzufügen",
  andMore: (count) => `und ${grouped(count)} weitere`,
  changeQuestion: "Frage ändern",
  changeTitle: "Titel ändern",
  description: "Beschreibung (optional)",
  kind: "Art",
  make: "Neue Umfrage oder Aufgabenliste",
  optionLines: "Antworten, eine pro Zeile",
  taskLines: "Aufgaben, eine pro Zeile; nach einem Doppelpunkt kann eine Beschreibung stehen",
  taskList: "Aufgabenliste",
  isThere: "Das steht schon in der Liste.",
  newOption: "Weitere Antwort",
  newTask: "Weitere Aufgabe",
  noQuestion: "Umfrage",
  noTitle: "Zu tun",
  poll: (question) => `Umfrage: ${question}`,
  question: "Frage",
  save: "Speichern",
  tasks: (title) => `Aufgabenliste: ${title}`,
  title: "Titel",
  votes: (option, count) =>
    `${option}: ${plural.select(count) === "one" ? "1 Stimme" : `${grouped(count)} Stimmen`}`,
};
