import type { settings } from "../words/en/settings";

/** Tasks of an organization that the web client has no controls for. */
type OperatorTask = keyof typeof settings.organization.tasks;

/** The commands that do these tasks, or whose help names them, in their order on the page. */
export const operatorCommands: readonly (readonly [OperatorTask, string])[] = [
  ["signIn", "chatd admin user login-link NAME@EXAMPLE.COM"],
  ["groups", "chatd admin group --help"],
  ["icon", "chatd admin realm icon icon.png"],
  ["settings", "chatd admin realm update --help"],
  ["newUsers", "chatd admin realm defaults --help"],
  ["fields", "chatd admin profile-field --help"],
  ["linkifiers", "chatd admin linkifier --help"],
  ["bots", "chatd admin bot --help"],
  ["audit", "chatd admin audit list"],
  ["export", "chatd admin export organization.tar"],
];
