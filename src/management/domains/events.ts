import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { domainObject } from "./wire";

export const domainAdded = event("realm_domains", "add", { realm_domain: domainObject });
export const domainChanged = event("realm_domains", "change", { realm_domain: domainObject });
export const domainRemoved = event("realm_domains", "remove", { domain: Type.String() });
