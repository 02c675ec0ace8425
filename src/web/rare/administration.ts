/*
 * All of the second file and of the settings is imported, or the bundler would cut them into
 * pieces.
 */
import "../late/parts";
import "./settings";

export { ForEverybody } from "../channels/for-everybody";
export { openEnd, openReturn } from "../settings/account-end";
export { OrganizationEmoji } from "../settings/emoji";
export { OrganizationPeople } from "../settings/people";
export { openRole } from "../settings/role-dialog";
export { style } from "./settings";
