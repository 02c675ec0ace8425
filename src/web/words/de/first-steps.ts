import type { firstSteps as english } from "../en/first-steps";

/** Words of the steps that a newcomer does first, in German. */
export const firstSteps: typeof english = {
  channel: "Kanal anlegen",
  channelHelp: "Einen für jede Sache, über die eine Gruppe sprechen will.",
  channelName: "Name des Kanals",
  channelMake: "Anlegen",
  client: "Eine App verbinden",
  clientHelp:
    "Apps für Zulip funktionieren mit diesem Server: auf dem Handy, im Terminal, für Bots.",
  clientHow: "So verbindest du sie",
  copied: "Kopiert",
  copy: "Kopieren",
  hello: "Sag Hallo",
  helloHelp: (channel) => `${channel} ist ein guter Ort für eine erste Nachricht.`,
  helloOpen: (channel) => `${channel} öffnen`,
  hide: "Liste ausblenden",
  invite: "Jemanden einladen",
  inviteHelp: "Wer den Link hat, kann innerhalb von zehn Tagen beitreten.",
  inviteLink: "Einladungslink",
  inviteMake: "Link erzeugen",
  name: "Sag, wer du bist",
  nameField: "Dein Name",
  nameHelp: "Andere sehen diesen Namen bei deinen Nachrichten und in Einladungen.",
  nameMore: "Deine E-Mail-Adresse und dein Passwort",
  notifications: "Nichts verpassen",
  notificationsHelp: "Dieser Browser zeigt eine Benachrichtigung, wenn dir jemand schreibt.",
  notificationsTurnOn: "Benachrichtigungen einschalten",
  organization: "Gib deiner Organisation einen Namen",
  organizationField: "Name der Organisation",
  organizationHelp: "Er steht in Einladungen, in Mails und über den Kanälen.",
  picture: "Zeig, wer du bist",
  pictureHelp:
    "Mit einem Bild und dem Namen, den andere für dich verwenden, findet man dich leichter.",
  pictureOpen: "Dein Profil",
  summary: "Das sind deine nächsten Schritte. Die Liste verschwindet nach zwei Wochen.",
  welcome: (organization) => `Willkommen bei ${organization}`,
};
