import type { UserRow } from "../../core/context";
import { mayReadAddress, type Onlooker, sees } from "../../core/sight";
import { anonymousPicture, type Pictured } from "./avatar";
import { placeholderEmail } from "./queries";

/** Name of a person whom the onlooker does not see. */
export const unknownName = "Unknown user";

/** Columns of a person that showing their name to somebody needs. */
export type NamedPerson = AddressedPerson & Pick<UserRow, "fullName"> & Pictured;

/** Columns of a person that showing their address to somebody needs. */
export type AddressedPerson = Pick<UserRow, "id" | "email" | "botType" | "settings">;

/**
 * A person as shown to an onlooker. `email` is the real address, or the placeholder where the
 * onlooker may not read that.
 */
export interface ShownPerson {
  email: string;
  fullName: string;
  mayReadAddress: boolean;
  /** Columns that decide the shown avatar. */
  picture: Pictured;
}

interface Sight {
  onlooker: Onlooker;
  realmHost: string;
}

/**
 * The address of somebody for an onlooker: the real one, or the placeholder where the onlooker may
 * not read that.
 */
export const shownEmail = (person: AddressedPerson, { onlooker, realmHost }: Sight): string =>
  sees(onlooker, person) && mayReadAddress(onlooker, person)
    ? person.email
    : placeholderEmail(realmHost, person.id);

/** A person for an onlooker; one whom they do not see has neither name nor address. */
export function shownPerson(person: NamedPerson, { onlooker, realmHost }: Sight): ShownPerson {
  const isSeen = sees(onlooker, person);
  const isReadable = isSeen && mayReadAddress(onlooker, person);
  return {
    email: isReadable ? person.email : placeholderEmail(realmHost, person.id),
    fullName: isSeen ? person.fullName : unknownName,
    mayReadAddress: isReadable,
    picture: isSeen ? person : anonymousPicture(person),
  };
}
