import type { App } from "../core/context";
import { listRealms } from "../realm/queries";
import { listUsers } from "../users/queries";
import type { Declared } from "./apply";
import { parseDeclaration } from "./declaration";

const text = `
realm: {name: chatd, host: localhost}
users: [{email: owner@example.com, name: Owner, role: owner}]
channels: [{name: general, description: "For everybody", default: true, subscribers: all}]
`;

/** The organization that a server makes on its first start when it is told of no other, so that there is one to talk in. */
export function firstOrganization(): Declared {
  const source = { name: "the first organization", text };
  return { source, declaration: parseDeclaration(source) };
}

/** Whether there is no organization, or only the first one as a start that was cut short has left it: without anybody. */
export async function isFirstStart({ engine: { reader } }: App): Promise<boolean> {
  const [realm, ...others] = await listRealms(reader);
  if (!realm) return true;
  const { name, host } = firstOrganization().declaration.realm;
  if (others.length > 0 || realm.name !== name || realm.host !== host) return false;
  return (await listUsers(reader, realm.id)).length === 0;
}
