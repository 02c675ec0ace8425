import type { World } from "../../world";
import { administrators, type Calls, everyone, owners } from "./call";
import { newName } from "./things";

const newDomain = async ({ olga }: World) => {
  const domain = `${newName("d")}.example.net`;
  await olga.post("/realm/domains", { domain, allow_subdomains: false });
  return domain;
};

const newPlayground = () => ({
  name: newName("Run"),
  pygments_language: "Python",
  url_template: "https://run.example.com/?code={code}",
});

/** The domains and playgrounds of an organization. */
export const domainCalls: Calls = {
  "GET /realm/domains": { outcomes: everyone, prepare: () => ({}) },
  "POST /realm/domains": {
    by: "olga",
    outcomes: owners,
    prepare: () => ({
      parameters: { domain: `${newName("d")}.example.net`, allow_subdomains: true },
    }),
  },
  "PATCH /realm/domains/{domain}": {
    by: "olga",
    outcomes: owners,
    prepare: async (world) => ({
      path: { domain: await newDomain(world) },
      parameters: { allow_subdomains: true },
    }),
  },
  "DELETE /realm/domains/{domain}": {
    by: "olga",
    outcomes: owners,
    prepare: async (world) => ({ path: { domain: await newDomain(world) } }),
  },
  "POST /realm/playgrounds": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({ parameters: newPlayground() }),
  },
  "DELETE /realm/playgrounds/{playground_id}": {
    by: "olga",
    outcomes: administrators,
    prepare: async ({ olga }) => ({
      path: { playground_id: (await olga.post("/realm/playgrounds", newPlayground())).body.id },
    }),
  },
};
