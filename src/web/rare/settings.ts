/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";
import style from "../look/settings.css" with { type: "file" };

export { ChannelsView } from "../channels/channels-view";
export { openNewChannel } from "../channels/new-channel";
export { Invitations } from "../joining/invitations";
export { SettingsView } from "../settings/settings-view";
export { logOut } from "../settings/sign-out";
export { style };
