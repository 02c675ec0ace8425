import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const realm_domain = Type.Object({ domain: Type.String(), allow_subdomains: Type.Boolean() });

export const domainAdded = event("realm_domains", "add", { realm_domain });
export const domainChanged = event("realm_domains", "change", { realm_domain });
export const domainRemoved = event("realm_domains", "remove", { domain: Type.String() });
