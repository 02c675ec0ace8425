import { type Declared, readDeclaration } from "./declaration";
import { type FirstRealm, firstOwner } from "./first-start";

const channels = [
  { name: "general", description: "For everybody", default: true, subscribers: "all" },
];

/**
 * The organization that a server makes on its first start if no other is configured, so that people
 * can chat at once. It is an object instead of YAML text, because a start is faster without the
 * YAML parser.
 */
export const firstOrganization = (realm: FirstRealm): Declared =>
  readDeclaration({
    name: "the first organization",
    value: { realm, users: [firstOwner], channels },
    positionOf: () => ({ line: 1, column: 1 }),
  });
