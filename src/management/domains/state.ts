import { Type } from "@sinclair/typebox";
import { type StateLoader, sameForAll } from "../../core/state";
import { listDomains } from "../../realm/domains/queries";
import { domainObject, domainWire } from "./wire";

const domains = sameForAll(["realm_domains"], async (reader, realmId) => ({
  realm_domains: (await listDomains(reader, realmId)).map(domainWire),
}));

/** `realm_domains`: the domains whose addresses the organization accepts. */
export const domainState = {
  fetchTypes: ["realm_domains"],
  keys: { realm_domains: Type.Array(domainObject) },
  load: ({ realm }, reader) => domains(reader, realm.id),
} satisfies StateLoader;
