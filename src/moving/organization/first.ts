import { type Declared, readDeclaration } from "./declaration";
import { firstRealm } from "./first-start";

const organization = {
  realm: firstRealm,
  users: [{ email: "owner@example.com", name: "Owner", role: "owner" }],
  channels: [{ name: "general", description: "For everybody", default: true, subscribers: "all" }],
};

/**
 * The organization that a server makes on its first start when it is told of no other, so that
 * there is one to talk in. It is no text, because a first start is sooner without a parser.
 */
export const firstOrganization = (): Declared =>
  readDeclaration({
    name: "the first organization",
    value: organization,
    positionOf: () => ({ line: 1, column: 1 }),
  });
