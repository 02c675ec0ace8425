import {
  addDomain as addVerb,
  changeDomain as changeVerb,
  getDomains,
  removeDomain as removeVerb,
} from "../../src/management/domains/service";
import { printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";
import { orWhereListed } from "../where-listed";

/** `chatd admin domain list` */
export async function listDomains(options: RealmOptions) {
  const { domains } = await withOperator(options, getDomains);
  const rows = domains.map(({ domain, allow_subdomains }) => [
    domain,
    allow_subdomains ? "yes" : "no",
  ]);
  printResult(options, { domains }, formatTable(["DOMAIN", "SUBDOMAINS"], rows));
}

/** `chatd admin domain add DOMAIN [--subdomains] [--if-missing]` */
export async function addDomain(domain: string, options: RealmOptions & { subdomains?: boolean }) {
  const allowSubdomains = options.subdomains ?? false;
  await printAdded<Domain>(options, "domain", (ctx) => ({
    find: async () =>
      (await getDomains(ctx)).domains.find((one) => one.domain === domain.trim().toLowerCase()),
    async add() {
      const { new_domain } = await addVerb(ctx, { domain, allowSubdomains });
      return { domain: new_domain[1], allow_subdomains: allowSubdomains };
    },
    added: (added) => `Added the domain ${added.domain}.`,
    describe: (there) =>
      `The domain ${there.domain} already exists, ${there.allow_subdomains ? "with" : "without"} its subdomains.`,
  }));
}

interface Domain {
  domain: string;
  allow_subdomains: boolean;
}

/** `chatd admin domain update DOMAIN --subdomains|--no-subdomains` */
export async function updateDomain(
  domain: string,
  options: RealmOptions & { subdomains?: boolean },
) {
  const allowSubdomains = options.subdomains ?? false;
  await withOperator(options, (ctx) => changeVerb(ctx, { domain, allowSubdomains }));
  const changed = { domain: domain.trim().toLowerCase(), allow_subdomains: allowSubdomains };
  printResult(options, { domain: changed }, [
    `Subdomains of ${changed.domain} ${allowSubdomains ? "" : "do not "}count.`,
  ]);
}

/** `chatd admin domain remove DOMAIN` */
export async function removeDomain(domain: string, options: RealmOptions) {
  await withOperator(options, (ctx) => orWhereListed("domain list", removeVerb(ctx, { domain })));
  printResult(options, { domain: domain.trim().toLowerCase() }, [
    `Removed the domain ${domain.trim().toLowerCase()}.`,
  ]);
}
