import { Type } from "@sinclair/typebox";
import { type StateLoader, sameForAll } from "../../core/state";
import { listLinkifiers } from "./queries";
import { linkifierObject, linkifierWire } from "./wire";

const linkifiers = sameForAll(["linkifiers"], async (reader, realmId) => ({
  realm_linkifiers: (await listLinkifiers(reader, realmId)).map(linkifierWire),
}));

/** `realm_linkifiers`: those of the realm, in the order in which they are tried. */
export const linkifierState = {
  fetchTypes: ["realm_linkifiers"],
  keys: { realm_linkifiers: Type.Array(linkifierObject) },
  load: ({ realm }, reader) => linkifiers(reader, realm.id),
} satisfies StateLoader;
