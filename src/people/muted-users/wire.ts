import { type Static, Type } from "@sinclair/typebox";

/** A muted user as the protocol shows them. */
export const mutedUserObject = Type.Object(
  {
    id: Type.Integer(),
    timestamp: Type.Integer({ description: "When they were muted, in UNIX seconds." }),
  },
  { title: "MutedUser" },
);

export type MutedUserObject = Static<typeof mutedUserObject>;
