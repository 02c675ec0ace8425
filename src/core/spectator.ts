import type { Actor, RealmRow } from "./context";

/**
 * Above every role that people have: a spectator reads no address, holds no permission and is told
 * less than a guest.
 */
const roleSpectator = 700;

/**
 * Somebody who has not signed in, in an organization that lets such people read what is open to the
 * web: to whatever reads they are a guest without a name who is in no channel and no conversation.
 * Nothing of it is stored, and since the account is not active, no permission is theirs.
 */
export const spectatorOf = ({
  id: realmId,
  createdAt,
}: RealmRow): Extract<Actor, { kind: "spectator" }> => ({
  kind: "spectator",
  apiKeyId: 0,
  user: {
    id: 0,
    realmId,
    email: "",
    emailKey: "",
    fullName: "",
    role: roleSpectator,
    isActive: false,
    createdAt,
    botType: null,
    botOwnerId: null,
    isSystemBot: false,
    timezone: "",
    passwordHash: null,
    settings: "{}",
    chosenSettings: "[]",
    profileData: "{}",
    avatarSource: "J",
    avatarVersion: 1,
    avatarFile: null,
    isImportedStub: false,
    awaitsFirstSignIn: false,
    isDeleted: false,
  },
});
