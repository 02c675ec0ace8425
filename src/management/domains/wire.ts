import { type Static, Type } from "@sinclair/typebox";
import type { Domain } from "../../realm/domains/queries";

/** A domain as the protocol shows it. */
export const domainObject = Type.Object(
  { domain: Type.String(), allow_subdomains: Type.Boolean() },
  { title: "RealmDomain" },
);

export const domainWire = ({ domain, allowSubdomains }: Domain): Static<typeof domainObject> => ({
  domain,
  allow_subdomains: allowSubdomains,
});
