import type { report as english } from "../en/report";

/** Words of reports to moderators, in German. */
export const report: typeof english = {
  description: "Was ist nicht in Ordnung?",
  descriptionIfWanted: "Was ist nicht in Ordnung? (optional)",
  help: (sender) =>
    `Die Moderatoren sehen diese Nachricht von ${sender}, deinen Namen und was du hier schreibst. ${sender} erfährt nichts davon.`,
  reason: "Grund",
  send: "Melden",
  sent: "Die Moderatoren wurden benachrichtigt. Danke.",
  title: "Den Moderatoren melden",
};
