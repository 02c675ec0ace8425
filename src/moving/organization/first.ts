import { type Declared, readDeclaration } from "./declaration";
import { firstOwner, firstRealm } from "./first-start";

const organization = {
  realm: firstRealm,
  users: [firstOwner],
  channels: [{ name: "general", description: "For everybody", default: true, subscribers: "all" }],
};

/**
 * The organization that a server makes on its first start if no other is configured, so that people
 * can chat at once. It is an object instead of YAML text, because a start is faster without the
 * YAML parser.
 */
export const firstOrganization = (): Declared =>
  readDeclaration({
    name: "the first organization",
    value: organization,
    positionOf: () => ({ line: 1, column: 1 }),
  });
