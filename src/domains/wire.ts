import type { Domain } from "./queries";

/** A domain as the protocol shows it. */
export type DomainWire = { domain: string; allow_subdomains: boolean };

export const domainWire = ({ domain, allowSubdomains }: Domain): DomainWire => ({
  domain,
  allow_subdomains: allowSubdomains,
});
