import type { Privacy, PrivacyEffect } from "../../model/channel-privacy";
import type { SystemName } from "../../model/permission-holders";
import { grouped, list, plural } from "./counts";

const people = (count: number): string =>
  plural.select(count) === "one" ? "1 member" : `${grouped(count)} members`;

/** Words of the channels to browse, and of one channel. */
export const channels = {
  addNamed: (name: string) => `Add ${name}`,
  allChannels: "All channels",
  announce: "Announce the channel to everybody",
  archive: "Archive the channel",
  archiveHelp:
    "Nobody can write in it any more, and it leaves the lists. Its messages stay. You find it below “Archived” in the list of all channels, and can unarchive it there.",
  archiveNamed: (name: string) => `Archive ${name}`,
  archived: "This channel is archived: nobody can write in it.",
  colour: "Colour",
  colourNames: {
    "#5b8def": "Blue",
    "#2fa7a0": "Teal",
    "#4fae63": "Green",
    "#c9a227": "Yellow",
    "#e5793a": "Orange",
    "#d4574e": "Red",
    "#c75d9c": "Pink",
    "#7d67d9": "Violet",
    "#5d7f99": "Grey",
  },
  create: "Create the channel",
  creator: (name: string, date: string) => `Created by ${name}, ${date}`,
  created: (date: string) => `Created ${date}`,
  description: "Description (optional)",
  descriptionOf: "Description",
  everybody: "For everybody",
  filters: { all: "All", mine: "Joined", notJoined: "Not joined", archived: "Archived" },
  findOrAdd: "Find or add people",
  findPeople: "Find people in the channel",
  folder: "Folder",
  folderNone: "None",
  forNewPeople: "New people join this channel automatically",
  found: (count: number) =>
    plural.select(count) === "one" ? "1 channel" : `${grouped(count)} channels`,
  gone: "There is no such channel, or you may not see it.",
  join: "Join",
  joinNamed: (name: string) => `Join ${name}`,
  joined: "Joined",
  kind: "Who can find it",
  kinds: {
    public: "Everybody in the organization can join and read",
    private: "Only members can read; they add other people",
    web: "Open to the web: everybody can read",
  },
  leave: "Leave",
  leaveNamed: (name: string) => `Leave ${name}`,
  left: (name: string) => `You have left ${name}.`,
  leavePrivate:
    "You come back only if somebody adds you, or the channel's own permissions let you join.",
  members: people,
  muted: "Mute the channel",
  name: "Name",
  new: "New channel",
  nobodyNamed: "Nobody has this name.",
  none: "No channel has this name.",
  noneHelp: "Try fewer letters, or create a channel with this name.",
  notifications: "Notifications",
  notify: {
    desktop_notifications: "Here",
    audible_notifications: "Sound",
    push_notifications: "Phone",
    email_notifications: "Mail",
    wildcard_mentions_notify: "@all and @topic count as mentions of me",
  },
  notifyLike: (isOn: boolean) => `As in your settings: ${isOn ? "on" : "off"}`,
  off: "Off",
  on: "On",
  open: "Read the channel",
  otherColour: "Another colour",
  otherSettings:
    "Only the operator of the server can change the other permissions of this channel, and how long messages are kept:",
  own: "Only for you",
  people: "People in the channel",
  permissions: {
    changedMeanwhile: "Somebody else has changed this meanwhile. Look at it again.",
    groups: {
      "role:everyone": "Everybody",
      "role:members": "Everybody but guests",
      "role:fullmembers": "Full members, moderators, administrators and owners",
      "role:moderators": "Moderators, administrators and owners",
      "role:administrators": "Administrators and owners",
      "role:owners": "Owners",
      "role:nobody": "Nobody",
    } satisfies Record<SystemName, string>,
    names: {
      can_send_message_group: {
        label: "Who can write",
        help: "All others who see the channel can only read it.",
      },
      can_create_topic_group: {
        label: "Who can begin topics",
        help: "All others can only write in topics that are there.",
      },
    },
    several: (names: readonly string[], others: number) =>
      list.format(others === 0 ? names : [...names, `${grouped(others)} more`]),
    unknownGroup: "Another group",
  },
  pinned: "Pin to the top",
  privacy: {
    actions: {
      web: "Open it to the web",
      public: "Open it to everybody here",
      shared: "Make it private, with shared history",
      protected: "Make it private, with protected history",
    } satisfies Record<Privacy, string>,
    change: "Change who can see the channel",
    changeShort: "Change",
    changedMeanwhile: (now: string) =>
      `Somebody else has changed this meanwhile. Now it is: ${now}`,
    effects: {
      webOpens:
        "Everybody on the web can read all of its messages without an account, also those sent until now. What others have read or copied cannot be taken back.",
      webCloses:
        "It can no longer be read without an account. Guests can read it only if they are members.",
      organizationOpens:
        "Everybody in the organization but guests finds it, can join it and reads all of its messages, also those sent until now. What others have read cannot be taken back.",
      organizationCloses:
        "Only its members still read it. All others lose its messages, also those sent until now, and join or add people only where the channel's own permissions let them.",
      historyOpens:
        "Its members read all messages, also those sent before they joined. What they have read cannot be taken back.",
      historyCloses:
        "Its members read only messages that were sent while they were in the channel. Those who joined later lose the earlier ones.",
      lost: "You are not in this channel: you lose its messages too. You come back only if somebody adds you, or the channel's own permissions let you join. Join it first to stay.",
    } satisfies Record<PrivacyEffect | "lost", string>,
    forNew: "New people join this channel automatically, so it cannot become private.",
    kinds: {
      web: { name: "The web", help: "Everybody can read it, also without an account." },
      public: {
        name: "The organization",
        help: "Everybody but guests can find it, join it and read all of its messages.",
      },
      shared: {
        name: "Its members: private, with shared history",
        help: "New members read all earlier messages.",
      },
      protected: {
        name: "Its members: private, with protected history",
        help: "New members read only messages that are sent after they join.",
      },
    } satisfies Record<Privacy, { name: string; help: string }>,
    of: (name: string) => `Who can see ${name}`,
    onlyMembers: "Only its members can change this, whatever their role is.",
    title: "Who can see it",
  },
  remove: "Remove",
  removeForGood: "You may not add people to this channel, so you cannot undo this.",
  removeNamed: (name: string) => `Remove ${name}`,
  removed: (name: string, channel: string) => `${name} is no longer in ${channel}.`,
  search: "Find channels",
  unarchive: "Unarchive the channel",
};
