import { type StateLoader, sameForAll } from "../core/state";
import { listDomains } from "./queries";
import { domainWire } from "./wire";

const domains = sameForAll(["realm_domains"], async (reader, realmId) => ({
  realm_domains: (await listDomains(reader, realmId)).map(domainWire),
}));

/** `realm_domains`: those whose addresses the organization accepts. */
export const domainState: StateLoader = {
  fetchTypes: ["realm_domains"],
  load: ({ realm }, reader) => domains(reader, realm.id),
};
