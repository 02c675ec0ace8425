import type { cards as english } from "../en/cards";
import { grouped, plural } from "./counts";

/** Words of the cards of people and groups, and of one's own status, in German. */
export const cards: typeof english = {
  channels: "Gemeinsame Kanäle",
  clear: "Status entfernen",
  copyMention: "Erwähnung kopieren",
  deactivate: "Deaktivieren",
  deactivated: "Dieses Konto ist deaktiviert.",
  direct: "Direktnachricht",
  endOfStatus: "Entfernen",
  endNever: "Nie",
  endOwn: "Zu einem anderen Zeitpunkt…",
  ends: {
    halfHour: "In 30 Minuten",
    hour: "In einer Stunde",
    today: "Am Ende des Tages",
    tomorrow: "Am Ende des morgigen Tages",
    week: "Am Ende der Woche",
  },
  emojiNone: "Kein Emoji",
  emojiOfStatus: "Emoji",
  find: "Nachrichten finden",
  group: "Gruppe",
  localTime: (time) => `dort ist es ${time}`,
  member: "Mitglied",
  members: (count) =>
    plural.select(count) === "one" ? "1 Mitglied" : `${grouped(count)} Mitglieder`,
  mute: "Stummschalten",
  muted: (name) => `Du hast ${name} stummgeschaltet.`,
  otherEmoji: "Anderes Emoji",
  ownedBy: (name) => `Bot von ${name}`,
  ownerEnded: (owner) => `Auch ${owner} ist deaktiviert: Aktiviere zuerst dieses Konto wieder.`,
  reactivate: "Wieder aktivieren",
  role: "Rolle ändern",
  setStatus: "Status setzen",
  status: "Dein Status",
  statusText: "Status",
  unmute: "Nicht mehr stummschalten",
  unmuted: (name) => `${name} ist nicht mehr stummgeschaltet.`,
  until: (moment) => `bis ${moment}`,
  settings: "Einstellungen",
};
