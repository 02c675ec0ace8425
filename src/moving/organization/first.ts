import type { Declared } from "./apply";
import { parseDeclaration } from "./declaration";
import { firstRealm } from "./first-start";

const text = `
realm: {name: ${firstRealm.name}, host: ${firstRealm.host}}
users: [{email: owner@example.com, name: Owner, role: owner}]
channels: [{name: general, description: "For everybody", default: true, subscribers: all}]
`;

/**
 * The organization that a server makes on its first start when it is told of no other, so that
 * there is one to talk in.
 */
export function firstOrganization(): Declared {
  const source = { name: "the first organization", text };
  return { source, declaration: parseDeclaration(source) };
}
