import { ownRows, type StateLoader } from "../core/state";
import { listMutedUsers } from "./queries";

/** `muted_users`: whom the user mutes. */
export const mutedUserState: StateLoader = {
  fetchTypes: ["muted_users"],
  own: ownRows((t) => t.mutedUsers, { muted_users: [] }),
  load: async ({ realm, actor }, reader) => ({ muted_users: await listMutedUsers(reader, realm.id, actor.user.id) }),
};
