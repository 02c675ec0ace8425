import type { StateLoader } from "../core/state";
import { listDomains } from "./queries";
import { domainWire } from "./wire";

/** `realm_domains`: those whose addresses the organization accepts. */
export const domainState: StateLoader = {
  fetchTypes: ["realm_domains"],
  load: async ({ realm }, reader) => ({ realm_domains: (await listDomains(reader, realm.id)).map(domainWire) }),
};
