import { feature } from "../../core/manifest";
import { auditLogEndpoints } from "./routes";
import { tidyAuditLog } from "./tidy";

/** The log of acts of people, bots and operators; `write` stores it. */
export const auditLogFeature = feature({
  name: "audit log",
  endpoints: auditLogEndpoints,
  tidying: [tidyAuditLog],
});
