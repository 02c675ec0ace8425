import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listMutedUsers } from "../../people/muted-users/queries";
import { mutedUserObject } from "../../people/muted-users/wire";

/** `muted_users`: the users that the user mutes. */
export const mutedUserState = {
  fetchTypes: ["muted_users"],
  keys: { muted_users: Type.Array(mutedUserObject) },
  own: ownRows((t) => t.mutedUsers, { muted_users: [] }),
  load: async ({ realm, actor }, reader) => ({
    muted_users: await listMutedUsers(reader, realm.id, actor.user.id),
  }),
} satisfies StateLoader;
