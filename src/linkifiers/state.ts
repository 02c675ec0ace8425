import type { StateLoader } from "../core/state";
import { listLinkifiers } from "./queries";
import { linkifierWire } from "./wire";

/** `realm_linkifiers`: those of the realm, in the order in which they are tried. */
export const linkifierState: StateLoader = {
  fetchTypes: ["realm_linkifiers"],
  load: async ({ realm }, reader) => ({
    realm_linkifiers: (await listLinkifiers(reader, realm.id)).map(linkifierWire),
  }),
};
