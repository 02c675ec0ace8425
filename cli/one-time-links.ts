import type { RunningApp } from "../src/app";
import type { RealmRow, UserRow } from "../src/core/context";
import { operatorContext } from "../src/core/operator";
import type { Declared } from "../src/moving/organization/declaration";
import { findUserByEmail } from "../src/people/users/queries";
import { listRealms } from "../src/realm/queries";
import { findAwaitedOwner } from "../src/sign-in/awaited-owner";
import { createLoginLinks } from "../src/sign-in/login-links";

const lifeSeconds = 3_600;
/** Number of declared people who get links; `chatd admin user login-link` makes more. */
const declaredMax = 50;

/** An address that signs a person in once, within an hour. */
export interface OneTimeLink {
  email: string;
  name: string;
  url: string;
}

interface Start {
  app: RunningApp;
  /** Address with which the links begin. */
  site: string;
  /** Whether this start has created the organization. */
  isFirst: boolean;
  isEphemeral: boolean;
  declared: Declared | undefined;
  /**
   * Whether a person sees the output. Otherwise it may be kept, for example in a service's journal.
   */
  isTerminal: boolean;
}

/**
 * Links that a start prints, so that people get into the chat with one click. The owner gets one at
 * the first start, and on a terminal at each start until an owner has signed in. On a throwaway
 * server, each person that its file declares gets one. The links are in no log.
 */
export async function makeOneTimeLinks(start: Start): Promise<OneTimeLink[]> {
  const { app, site, isFirst, isEphemeral, declared, isTerminal } = start;
  if (!isFirst && !isTerminal && !(isEphemeral && declared)) return [];
  const [realm, another] = await listRealms(app.engine.reader);
  // With several organizations, the address does not show which one is meant.
  if (!realm?.isActive || another) return [];
  const people = isEphemeral && declared ? await findDeclared(app, realm, declared) : undefined;
  const users = people ?? [await findAwaitedOwner(app, realm)].filter((one) => one !== undefined);
  const ctx = { ...operatorContext(app, realm), url: site };
  const links = await createLoginLinks(ctx, users, lifeSeconds);
  return users.map(({ email, fullName }, index) => ({
    email,
    name: fullName,
    url: links[index]?.url ?? "",
  }));
}

async function findDeclared(
  { engine: { reader } }: RunningApp,
  { id }: RealmRow,
  { declaration }: Declared,
): Promise<UserRow[]> {
  const people: UserRow[] = [];
  for (const { email } of declaration.users.slice(0, declaredMax)) {
    const user = await findUserByEmail(reader, id, email);
    if (user?.isActive) people.push(user);
  }
  return people;
}

/**
 * Number of this machine's names that are printed at most, because virtual networks may add more.
 */
const namesMax = 3;
/**
 * A list format is made only if there is something to list, because making the first one is slow.
 */
const listNames = (names: readonly string[]) =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(names);

/**
 * The lines that show the links to a person. `otherNames` are names of this machine on other
 * machines, if the links begin with `localhost`.
 */
export function linesOfLinks(links: readonly OneTimeLink[], otherNames: readonly string[]) {
  const [first, ...others] = links;
  if (!first) return [];
  const elsewhere =
    otherNames.length === 0
      ? []
      : [
          `On another machine, use ${listNames(otherNames.slice(0, namesMax))} instead of localhost.`,
        ];
  if (others.length === 0)
    return [
      "",
      `Open this link to sign in as ${first.name}. It works once, within an hour:`,
      `  ${first.url}`,
      ...elsewhere,
    ];
  const width = Math.max(...links.map(({ name }) => Bun.stringWidth(name)));
  const pad = (name: string) => name + " ".repeat(width - Bun.stringWidth(name));
  return [
    "",
    "Open a link to sign in as that person. Each works once, within an hour; to be two people at once, use a private window:",
    ...links.map(({ name, url }) => `  ${pad(name)}  ${url}`),
    ...elsewhere,
  ];
}
