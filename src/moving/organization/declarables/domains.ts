import { addDomainIn, changeDomainIn, cleanDomain } from "../../../management/domains/service";
import { listDomains } from "../../../realm/domains/queries";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import {
  type Item,
  openMapping,
  readFlag,
  readItems,
  refuseRepeatedTexts,
  requireText,
} from "../file/decode";
import type { Path, Problem } from "../file/problems";
import type { Planning } from "../planning";

export interface DeclaredDomain {
  domain: string;
  allowSubdomains: boolean;
}

/** Domains of the e-mail addresses that may join. */
export const domains: Declarable = {
  read: (root) => ({
    domains: readItems(root, "domains").map((item) => readDomain(root.problems, item)),
  }),
  check(declaration, problems) {
    const names = declaration.domains.map(({ domain }) => domain);
    refuseRepeatedTexts(problems, { part: "domains", key: "domain" }, names);
  },
  load: async ({ reader, realm }) => ({ domains: await listDomains(reader, realm.id) }),
  plan: planDomains,
  dump: (dumping) => ({ domains: dumpDomains(dumping) }),
};

function readDomain(problems: Problem[], { path, value }: Item): DeclaredDomain {
  const node = openMapping(problems, path, value, "a domain", ["domain", "allow_subdomains"]);
  return {
    domain: requireText(node, "domain", cleanDomain),
    allowSubdomains: readFlag(node, "allow_subdomains") ?? false,
  };
}

function planDomains({ declaration, stored, changes }: Planning) {
  for (const [index, domain] of declaration.domains.entries()) {
    const path = ["domains", index];
    const storedDomain = stored.domains.find((one) => one.domain === domain.domain);
    if (!storedDomain) changes.push(addDomain(path, domain));
    else if (storedDomain.allowSubdomains !== domain.allowSubdomains)
      changes.push(changeDomain(path, domain));
  }
}

const subdomains = ({ allowSubdomains }: DeclaredDomain) =>
  allowSubdomains ? "with subdomains" : "without subdomains";

const addDomain = (path: Path, domain: DeclaredDomain): Change => ({
  lines: [`+ domain ${domain.domain} (${subdomains(domain)})`],
  path,
  carryOut: ({ tx, ctx }) => addDomainIn(tx, ctx, domain),
});

const changeDomain = (path: Path, domain: DeclaredDomain): Change => ({
  lines: [`~ domain ${domain.domain}: ${subdomains(domain)}`],
  path,
  carryOut: ({ tx, ctx }) => changeDomainIn(tx, ctx, domain),
});

const dumpDomains = ({ stored }: Dumping) =>
  stored.domains.map(({ domain, allowSubdomains }) => ({
    domain,
    allow_subdomains: allowSubdomains,
  }));
