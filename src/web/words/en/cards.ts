import type { StatusEndName } from "../../model/status-ends";
import { grouped, plural } from "./counts";

/** Words of the cards of people and groups, and of one's own status. */
export const cards = {
  channels: "Channels that you share",
  clear: "Clear the status",
  copyMention: "Copy mention",
  deactivate: "Deactivate",
  deactivated: "This account is deactivated.",
  direct: "Direct message",
  endOfStatus: "Clear it",
  endNever: "Never",
  endOwn: "At another time…",
  ends: {
    halfHour: "In 30 minutes",
    hour: "In an hour",
    today: "At the end of today",
    tomorrow: "At the end of tomorrow",
    week: "At the end of this week",
  } satisfies Record<StatusEndName, string>,
  emojiNone: "No emoji",
  emojiOfStatus: "Emoji",
  find: "Find messages",
  group: "Group",
  localTime: (time: string) => `${time} there`,
  member: "member",
  members: (count: number) =>
    plural.select(count) === "one" ? "1 member" : `${grouped(count)} members`,
  mute: "Mute",
  muted: (name: string) => `You have muted ${name}.`,
  otherEmoji: "Another emoji",
  ownedBy: (name: string) => `Bot of ${name}`,
  ownerEnded: (owner: string) => `${owner} is deactivated, too: reactivate their account first.`,
  reactivate: "Reactivate",
  role: "Change role",
  setStatus: "Set a status",
  status: "Your status",
  statusText: "Status",
  unmute: "Unmute",
  unmuted: (name: string) => `You have unmuted ${name}.`,
  until: (moment: string) => `until ${moment}`,
  settings: "Settings",
};
