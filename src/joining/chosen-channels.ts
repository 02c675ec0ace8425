import type { Reader } from "../../db/reader";
import { type DefaultGroup, listDefaultGroups } from "../channels/default-channel-groups/queries";
import { isGuest, type Role } from "../core/rights/role";
import { Html, html } from "../core/text/html";
import { nothing } from "../sign-in/login-pages";
import type { JoiningWords } from "./words";

/**
 * The groups of channels that a newcomer may choose from: none for guests, who are only in channels
 * that somebody has added them to.
 */
export const offeredGroups = async (
  reader: Reader,
  realmId: number,
  role: Role,
): Promise<readonly DefaultGroup[]> => (isGuest(role) ? [] : listDefaultGroups(reader, realmId));

/**
 * The ids of the channels of the group that a newcomer has chosen by its name; a group that is gone
 * meanwhile has none.
 */
export async function chosenChannelIds(
  reader: Reader,
  realmId: number,
  role: Role,
  name: string | undefined,
): Promise<readonly number[]> {
  const groups = await offeredGroups(reader, realmId, role);
  return groups.find((group) => group.name === name)?.channelIds ?? [];
}

/** The choice among groups, in the form in which somebody joins; `chosen` is a name. */
export const groupChoice = (
  words: JoiningWords,
  groups: readonly DefaultGroup[],
  chosen: string | undefined,
): Html =>
  groups.length === 0
    ? nothing
    : html`<p><label for="default_stream_group">${words.channelsToBegin}</label>
<select id="default_stream_group" name="default_stream_group"><option value="">${words.noChannels}
${new Html(groups.map((group) => option(group, group.name === chosen).text).join(""))}</select></p>`;

const option = ({ name, description }: DefaultGroup, isChosen: boolean): Html => {
  const text = description === "" ? name : `${name} – ${description}`;
  return isChosen
    ? html`<option value="${name}" selected>${text}`
    : html`<option value="${name}">${text}`;
};
