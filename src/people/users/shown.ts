import type { UserRow } from "../../core/context";
import { mayReadAddress, sees, type Viewer } from "../../core/rights/person-visibility";
import { anonymousPicture, type Pictured } from "./avatar";
import { placeholderEmail } from "./queries";

/** Name of a person whom the viewer does not see. */
export const unknownName = "Unknown user";

/** Columns of a person that showing their name to somebody needs. */
export type NamedPerson = AddressedPerson & Pick<UserRow, "fullName"> & Pictured;

/** Columns of a person that showing their address to somebody needs. */
type AddressedPerson = Pick<UserRow, "id" | "email" | "botType" | "settings">;

/**
 * A person as shown to a viewer. `email` is the real address, or the placeholder where the
 * viewer may not read that.
 */
export interface ShownPerson {
  email: string;
  fullName: string;
  mayReadAddress: boolean;
  /** Columns that decide the shown avatar. */
  picture: Pictured;
}

interface PersonView {
  viewer: Viewer;
  realmHost: string;
}

/**
 * The address of somebody for a viewer: the real one, or the placeholder where the viewer may
 * not read that.
 */
export const shownEmail = (person: AddressedPerson, { viewer, realmHost }: PersonView): string =>
  sees(viewer, person) && mayReadAddress(viewer, person)
    ? person.email
    : placeholderEmail(realmHost, person.id);

/** A person for a viewer; one whom they do not see has neither name nor address. */
export function shownPerson(person: NamedPerson, { viewer, realmHost }: PersonView): ShownPerson {
  const isSeen = sees(viewer, person);
  const isReadable = isSeen && mayReadAddress(viewer, person);
  return {
    email: isReadable ? person.email : placeholderEmail(realmHost, person.id),
    fullName: isSeen ? person.fullName : unknownName,
    mayReadAddress: isReadable,
    picture: isSeen ? person : anonymousPicture(person),
  };
}
