import type { RunningApp } from "../src/app";
import type { RealmRow, UserRow } from "../src/core/context";
import { operatorContext } from "../src/core/operator";
import type { Declared } from "../src/moving/organization/declaration";
import { findUserByEmail } from "../src/people/users/queries";
import { listRealms } from "../src/realm/queries";
import { findAwaitedOwner } from "../src/sign-in/awaited-owner";
import { createLoginLinks } from "../src/sign-in/login-links";

const lifeSeconds = 3_600;
/** For so many declared people links are made; `chatd admin user login-link` makes more. */
const declaredMax = 50;

/** An address that signs a person in once, within an hour. */
export interface OneTimeLink {
  email: string;
  name: string;
  url: string;
}

interface Start {
  app: RunningApp;
  /** Address that the links begin with. */
  site: string;
  /** Whether this start has made the organization to talk in. */
  isFirst: boolean;
  isEphemeral: boolean;
  declared: Declared | undefined;
  /** Whether somebody sees what is printed. Elsewhere it may be kept, as by a service's journal. */
  isTerminal: boolean;
}

/**
 * Links that a start prints, so that people are in the chat by one click: of the owner at the first
 * start, and on a terminal at each until an owner has signed in; of a throwaway server of each
 * person that its file declares. They are in no log.
 */
export async function makeOneTimeLinks(start: Start): Promise<OneTimeLink[]> {
  const { app, site, isFirst, isEphemeral, declared, isTerminal } = start;
  if (!isFirst && !isTerminal && !(isEphemeral && declared)) return [];
  const [realm, another] = await listRealms(app.engine.reader);
  // With several organizations the address does not tell which one is meant.
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

/** Names of this machine that are told at most: there may be some of virtual networks too. */
const namesMax = 3;
/** A format is made only where there is something to list, because the first one costs a start. */
const listNames = (names: readonly string[]) =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(names);

/**
 * The lines that tell a person of them. `otherNames` are those of this machine for other ones, where
 * the links begin with `localhost`.
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
