import type { UserRow } from "../core/context";
import { mayReadAddress, type Onlooker, sees } from "../core/sight";
import { placeholderEmail } from "./queries";

/** What a person is called whom somebody does not see. */
export const unknownName = "Unknown user";

/** What is needed of a person to name them to somebody. */
export type NamedPerson = Pick<UserRow, "id" | "email" | "fullName" | "botType" | "settings">;

/** A person as somebody is shown them. `email` is the real address, or the placeholder where that is not theirs to read. */
export interface ShownPerson {
  email: string;
  fullName: string;
  mayReadAddress: boolean;
}

/** Who it is, as far as the onlooker may know; whom they do not see has neither name nor address. */
export function shownPerson(
  person: NamedPerson,
  { onlooker, realmHost }: { onlooker: Onlooker; realmHost: string },
): ShownPerson {
  const isSeen = sees(onlooker, person);
  const isReadable = isSeen && mayReadAddress(onlooker, person);
  return {
    email: isReadable ? person.email : placeholderEmail(realmHost, person.id),
    fullName: isSeen ? person.fullName : unknownName,
    mayReadAddress: isReadable,
  };
}
