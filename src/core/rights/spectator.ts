import type { Actor, RealmRow } from "../context";

/**
 * A number above every real role, so that a spectator reads no address, holds no permission and
 * sees less than a guest.
 */
const roleSpectator = 700;

/**
 * Somebody who has not signed in, in an organization that lets the public read web-public channels.
 * Code that reads treats a spectator as a guest without a name, a channel or a conversation. The
 * account is not stored. It has no permissions, because it is not active.
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
