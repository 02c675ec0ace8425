import type { accounts as english } from "../en/accounts";
import { grouped, plural } from "./counts";

const isOne = (count: number): boolean => plural.select(count) === "one";

/** Words about the accounts of others, for administrators, in German. */
export const accounts: typeof english = {
  becomesGuest:
    "Gäste sehen nur die Kanäle, in denen sie sind, und Kanäle, die im Web öffentlich sind. Nur diesen können sie beitreten.",
  botsEnd: (count) =>
    `Das deaktiviert auch ${isOne(count) ? "einen Bot" : `${grouped(count)} Bots`}. Bots kommen nicht mit ihrem Besitzer zurück.`,
  botsRole: (count) =>
    `Auch ${isOne(count) ? "ein Bot bekommt" : `${grouped(count)} Bots bekommen`} diese Rolle.`,
  changedMeanwhile: (role) => `Das hat inzwischen jemand anders geändert. Jetzt gilt: ${role}`,
  changeRole: "Rolle ändern",
  changeRoleOf: (name) => `Rolle von ${name} ändern`,
  deactivate: "Deaktivieren",
  deactivateBotHelp:
    "Die API-Schlüssel des Bots werden ungültig. Seine Nachrichten bleiben. Du kannst ihn wieder aktivieren.",
  deactivated: (name) => `Das Konto von ${name} ist deaktiviert.`,
  deactivateHelp:
    "Die Person wird überall abgemeldet, ihre API-Schlüssel werden ungültig, und ihre Einladungen werden zurückgezogen. Ihre Nachrichten bleiben. Du kannst das Konto wieder aktivieren.",
  deactivateNamed: (name) => `${name} deaktivieren`,
  filters: { active: "Aktiv", deactivated: "Deaktiviert" },
  found: (count) => (isOne(count) ? "1 Person" : `${grouped(count)} Personen`),
  gone: "Diese Person ist nicht mehr da, oder du darfst sie nicht sehen.",
  lastOwner: "Eine Organisation braucht einen Besitzer: Mach zuerst jemand anders zum Besitzer.",
  member: "Mitglied",
  nobody: "Hier heißt niemand so.",
  ownersByOwners: "Nur Besitzer machen andere zu Besitzern und ändern die Rolle eines Besitzers.",
  ownRole:
    "Das ist dein eigenes Konto. Du verlierst deine Rechte sofort, und jemand anders muss sie dir zurückgeben.",
  people: "Personen und ihre Rollen",
  reactivate: "Wieder aktivieren",
  reactivateBotHelp:
    "Die API-Schlüssel des Bots sind wieder gültig, und er ist wieder in seinen Kanälen.",
  reactivated: (name) => `Das Konto von ${name} ist wieder aktiv.`,
  reactivateHelp:
    "Die Person kann sich wieder anmelden, mit ihrer Rolle von vorher, und ist wieder in ihren Kanälen und Gruppen. Ihre Bots bleiben deaktiviert.",
  reactivateNamed: (name) => `${name} wieder aktivieren`,
  role: "Rolle",
  roleChanged: (name, role) => `Neue Rolle von ${name}: ${role}`,
  roleOf: (name) => `Rolle von ${name}`,
  roles: {
    owner: { name: "Besitzer", help: "Darf alles, auch andere zu Besitzern machen." },
    administrator: {
      name: "Administrator",
      help: "Ändert die Organisation, ihre Kanäle und alle Konten außer denen von Besitzern.",
    },
    moderator: { name: "Moderator", help: "Hat die Rechte, die Moderatoren gegeben sind." },
    member: { name: "Mitglied", help: "Die übliche Rolle." },
    guest: { name: "Gast", help: "Für Personen von außen." },
  },
  search: "Personen finden",
};
