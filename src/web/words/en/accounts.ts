import { grouped, plural } from "./counts";

const botsOf = (count: number): string =>
  plural.select(count) === "one" ? "one bot" : `${grouped(count)} bots`;

/** Words about the accounts of others, for administrators. */
export const accounts = {
  becomesGuest:
    "Guests see only the channels that they are in, and channels that are open to the web. They can join only these.",
  botsEnd: (count: number) =>
    `This deactivates ${botsOf(count)} too. Bots do not come back with their owner.`,
  botsRole: (count: number) => `This lowers the role of ${botsOf(count)} too.`,
  changedMeanwhile: (role: string) =>
    `Somebody else has changed this meanwhile. Now it is: ${role}`,
  changeRole: "Change the role",
  changeRoleOf: (name: string) => `Change the role of ${name}`,
  deactivate: "Deactivate",
  deactivateBotHelp: "The bot's API keys stop working. Its messages stay. You can reactivate it.",
  deactivated: (name: string) => `The account of ${name} is deactivated.`,
  deactivateHelp:
    "They are signed out everywhere, their API keys stop working, and their invitations are withdrawn. Their messages stay. You can reactivate the account.",
  deactivateNamed: (name: string) => `Deactivate ${name}`,
  filters: { active: "Active", deactivated: "Deactivated" },
  found: (count: number) =>
    plural.select(count) === "one" ? "1 person" : `${grouped(count)} people`,
  gone: "This person is not there any more, or you may not see them.",
  lastOwner: "An organization needs an owner: make somebody else an owner first.",
  member: "member",
  nobody: "There is nobody of this name here.",
  ownersByOwners: "Only owners make others owners, and change the role of an owner.",
  ownRole:
    "This is your own account. You lose your rights at once, and somebody else has to give them back.",
  people: "People and their roles",
  reactivate: "Reactivate",
  reactivateBotHelp: "The bot's API keys work again, and it is back in its channels.",
  reactivated: (name: string) => `The account of ${name} is active again.`,
  reactivateHelp:
    "They can sign in again with their role from before, and are back in their channels and groups. Their bots stay deactivated.",
  reactivateNamed: (name: string) => `Reactivate ${name}`,
  role: "Role",
  roleChanged: (name: string, role: string) => `New role of ${name}: ${role}`,
  roleOf: (name: string) => `Role of ${name}`,
  roles: {
    owner: { name: "Owner", help: "May do everything, also make others owners." },
    administrator: {
      name: "Administrator",
      help: "Changes the organization, its channels and everybody's account but those of owners.",
    },
    moderator: { name: "Moderator", help: "Has the permissions that are given to moderators." },
    member: { name: "Member", help: "The usual role." },
    guest: { name: "Guest", help: "For people from outside." },
  },
  search: "Find people",
};
