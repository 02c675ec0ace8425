import type { later as english } from "../en/later";
import { grouped } from "./counts";

/** Words of what is sent later, of reminders and of saved texts, in German. */
export const later: typeof english = {
  ahead: {
    inAnHour: "In einer Stunde",
    todayAfternoon: "Heute Nachmittag",
    todayEvening: "Heute Abend",
    tomorrow: "Morgen früh",
    tomorrowAfternoon: "Morgen Nachmittag",
    monday: "Montag früh",
  },
  at: (name, moment) => `${name}, ${moment}`,
  change: "Ändern",
  changeTime: "Zeit ändern",
  chooseTime: "Datum und Uhrzeit wählen…",
  failed:
    "Nicht zur geplanten Zeit gesendet. Der Notification Bot hat dir geschrieben, warum. Wähle eine andere Zeit, oder bearbeite die Nachricht.",
  gone: "Die Nachricht ist weg, oder du darfst sie nicht mehr lesen.",
  keptAsDraft: (why) => `Sie ist jetzt unter deinen Entwürfen. Grund: ${why}`,
  note: "Notiz (optional)",
  pastTime: "Wähle einen Zeitpunkt in der Zukunft.",
  remindAt: "Erinnern",
  reminderDeleted: "Erinnerung gelöscht.",
  reminderSet: (moment) => `Du wirst erinnert: ${moment}`,
  reminders: {
    none: "Keine Erinnerungen.",
    noneHelp: "Wähle „Erinnern“ im Menü einer Nachricht. Der Notification Bot schreibt dir dann.",
  },
  remove: "Löschen",
  removeNamed: (text) => `Löschen: ${text}`,
  changeNamed: (text) => `Ändern: ${text}`,
  sendNow: "Jetzt senden",
  sendNowNamed: (text) => `Jetzt senden: ${text}`,
  sendsNow: "Sie wird gerade gesendet.",
  scheduled: {
    deleted: "Geplante Nachricht gelöscht.",
    edit: "Geplante Nachricht ändern",
    list: "Alle geplanten Nachrichten",
    none: "Nichts ist geplant.",
    noneHelp:
      "Schreibe eine Nachricht, und wähle „Später senden“ neben „Senden“. Bis dahin wartet sie hier.",
    text: "Text",
  },
  scheduledFor: (moment) => `Sie wird gesendet: ${moment}`,
  schedule: "Planen",
  showMore: (count) => `${grouped(count)} weitere anzeigen`,
  snippets: {
    change: "Gespeicherten Text ändern",
    deleted: "Gespeicherter Text gelöscht.",
    make: "Neuer gespeicherter Text",
    none: "Keine gespeicherten Texte.",
    noneHelp: "Speichere einen Text, den du oft schreibst, und füge ihn in deine Nachrichten ein.",
    text: "Text",
    title: "Titel",
    use: "Tippe am Anfang einer Zeile deiner Nachricht / und dann den Anfang eines Titels.",
  },
  when: "Datum und Uhrzeit",
};
