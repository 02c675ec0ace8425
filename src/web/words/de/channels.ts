import type { channels as english } from "../en/channels";
import { grouped, list, plural } from "./counts";

const people = (count: number): string =>
  plural.select(count) === "one" ? "1 Mitglied" : `${grouped(count)} Mitglieder`;

/** Words of the channels to browse, and of one channel, in German. */
export const channels: typeof english = {
  addNamed: (name) => `${name} hinzufügen`,
  allChannels: "Alle Kanäle",
  announce: "Den Kanal allen ankündigen",
  archive: "Kanal archivieren",
  archiveHelp:
    "Niemand kann mehr darin schreiben, und er verschwindet aus den Listen. Seine Nachrichten bleiben. Du findest ihn in der Liste aller Kanäle unter „Archiviert“ und kannst ihn dort wiederherstellen.",
  archiveNamed: (name) => `${name} archivieren`,
  archived: "Dieser Kanal ist archiviert: Hier kann niemand mehr schreiben.",
  colour: "Farbe",
  colourNames: {
    "#5b8def": "Blau",
    "#2fa7a0": "Türkis",
    "#4fae63": "Grün",
    "#c9a227": "Gelb",
    "#e5793a": "Orange",
    "#d4574e": "Rot",
    "#c75d9c": "Rosa",
    "#7d67d9": "Violett",
    "#5d7f99": "Grau",
  },
  create: "Kanal anlegen",
  creator: (name, date) => `Angelegt von ${name}, ${date}`,
  created: (date) => `Angelegt am ${date}`,
  description: "Beschreibung (optional)",
  descriptionOf: "Beschreibung",
  everybody: "Für alle",
  filters: { all: "Alle", mine: "Meine", notJoined: "Nicht beigetreten", archived: "Archiviert" },
  findOrAdd: "Personen finden oder hinzufügen",
  findPeople: "Personen im Kanal finden",
  folder: "Ordner",
  folderNone: "Keiner",
  forNewPeople: "Neue Mitglieder der Organisation kommen automatisch in diesen Kanal",
  found: (count) => (plural.select(count) === "one" ? "1 Kanal" : `${grouped(count)} Kanäle`),
  gone: "Diesen Kanal gibt es nicht, oder du darfst ihn nicht sehen.",
  join: "Beitreten",
  joinNamed: (name) => `${name} beitreten`,
  joined: "Beigetreten",
  kind: "Wer ihn finden kann",
  kinds: {
    public: "Alle in der Organisation können beitreten und lesen",
    private: "Nur Mitglieder können lesen; sie fügen andere hinzu",
    web: "Im Web öffentlich: Alle können lesen",
  },
  leave: "Verlassen",
  leaveNamed: (name) => `${name} verlassen`,
  left: (name) => `Du hast ${name} verlassen.`,
  leavePrivate:
    "Zurück kommst du nur, wenn dich jemand hinzufügt oder die eigenen Rechte des Kanals dich beitreten lassen.",
  members: people,
  muted: "Kanal stummschalten",
  name: "Name",
  new: "Neuer Kanal",
  nobodyNamed: "Niemand heißt so.",
  none: "Kein Kanal heißt so.",
  noneHelp: "Versuche weniger Buchstaben, oder lege einen Kanal mit diesem Namen an.",
  notifications: "Benachrichtigungen",
  notify: {
    desktop_notifications: "Hier",
    audible_notifications: "Ton",
    push_notifications: "Telefon",
    email_notifications: "Mail",
    wildcard_mentions_notify: "@all und @topic benachrichtigen mich wie eine Erwähnung",
  },
  notifyLike: (isOn) => `Wie in deinen Einstellungen: ${isOn ? "an" : "aus"}`,
  off: "Aus",
  on: "An",
  open: "Kanal lesen",
  otherColour: "Andere Farbe",
  otherSettings: "Weitere Rechte und die Aufbewahrung ändert der Betreiber des Servers:",
  own: "Nur für dich",
  people: "Personen im Kanal",
  permissions: {
    changedMeanwhile: "Das hat inzwischen jemand anders geändert. Sieh es dir noch einmal an.",
    groups: {
      "role:everyone": "Alle",
      "role:members": "Alle außer Gästen",
      "role:fullmembers": "Vollmitglieder, Moderatoren, Administratoren und Besitzer",
      "role:moderators": "Moderatoren, Administratoren und Besitzer",
      "role:administrators": "Administratoren und Besitzer",
      "role:owners": "Besitzer",
      "role:nobody": "Niemand",
    },
    names: {
      can_send_message_group: {
        label: "Wer schreiben kann",
        help: "Alle anderen, die den Kanal sehen, können ihn nur lesen.",
      },
      can_create_topic_group: {
        label: "Wer Themen beginnen kann",
        help: "Alle anderen können nur in Themen schreiben, die es schon gibt.",
      },
    },
    several: (names, others) =>
      list.format(others === 0 ? names : [...names, `${grouped(others)} weitere`]),
    unknownGroup: "Eine andere Gruppe",
  },
  pinned: "Oben anheften",
  privacy: {
    actions: {
      web: "Für das Web öffnen",
      public: "Für alle hier öffnen",
      shared: "Privat machen, mit gemeinsamem Verlauf",
      protected: "Privat machen, mit geschütztem Verlauf",
    },
    change: "Ändern, wer den Kanal sehen kann",
    changeShort: "Ändern",
    changedMeanwhile: (now) => `Das hat inzwischen jemand anders geändert. Jetzt gilt: ${now}`,
    effects: {
      webOpens:
        "Alle im Web können alle seine Nachrichten ohne Konto lesen, auch die bisherigen. Was andere gelesen oder kopiert haben, lässt sich nicht zurücknehmen.",
      webCloses: "Ohne Konto kann ihn niemand mehr lesen, und Gäste nur, wenn sie Mitglied sind.",
      organizationOpens:
        "Alle in der Organisation außer Gästen finden ihn, können ihm beitreten und lesen alle seine Nachrichten, auch die bisherigen. Was andere gelesen haben, lässt sich nicht zurücknehmen.",
      organizationCloses:
        "Nur seine Mitglieder lesen ihn noch. Alle anderen verlieren seine Nachrichten, auch die bisherigen, und können ihm nur beitreten oder Personen hinzufügen, wenn die eigenen Rechte des Kanals es erlauben.",
      historyOpens:
        "Seine Mitglieder lesen alle Nachrichten, auch die aus der Zeit vor ihrem Beitritt. Was sie gelesen haben, lässt sich nicht zurücknehmen.",
      historyCloses:
        "Seine Mitglieder lesen nur Nachrichten aus der Zeit, in der sie im Kanal waren. Wer später beigetreten ist, verliert die früheren.",
      lost: "Du bist nicht in diesem Kanal: Auch du verlierst seine Nachrichten. Zurück kommst du nur, wenn dich jemand hinzufügt oder die eigenen Rechte des Kanals dich beitreten lassen. Tritt ihm zuerst bei, um zu bleiben.",
    },
    forNew:
      "Neue Mitglieder der Organisation kommen automatisch in diesen Kanal, deshalb kann er nicht privat werden.",
    kinds: {
      web: { name: "Das Web", help: "Alle können ihn lesen, auch ohne Konto." },
      public: {
        name: "Die Organisation",
        help: "Alle außer Gästen können ihn finden, ihm beitreten und alle seine Nachrichten lesen.",
      },
      shared: {
        name: "Seine Mitglieder: privat, mit gemeinsamem Verlauf",
        help: "Neue Mitglieder lesen alle früheren Nachrichten.",
      },
      protected: {
        name: "Seine Mitglieder: privat, mit geschütztem Verlauf",
        help: "Neue Mitglieder lesen nur Nachrichten, die nach ihrem Beitritt gesendet werden.",
      },
    },
    of: (name) => `Wer ${name} sehen kann`,
    onlyMembers: "Das können nur seine Mitglieder ändern, unabhängig von ihrer Rolle.",
    title: "Wer ihn sehen kann",
  },
  remove: "Entfernen",
  removeForGood:
    "Du darfst keine Personen zu diesem Kanal hinzufügen und kannst das daher nicht rückgängig machen.",
  removeNamed: (name) => `${name} entfernen`,
  removed: (name, channel) => `${name} ist nicht mehr in ${channel}.`,
  search: "Kanäle finden",
  unarchive: "Kanal wiederherstellen",
};
