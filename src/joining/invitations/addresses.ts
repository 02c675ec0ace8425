import { badRequest } from "../../core/errors";
import { cleanEmail } from "../../people/users/email-address";
import { emailKeyOf } from "../../people/users/queries";

/** Number of people that one request may invite. */
const addressesMax = 1_000;

/**
 * An address that cannot be invited: as given, with the reason, and whether a deactivated account
 * has it.
 */
export type AddressProblem = [address: string, why: string, isDeactivated: boolean];

export interface Addresses {
  /** Without duplicates, ignoring case, in the order given. */
  emails: string[];
  invalid: AddressProblem[];
}

/**
 * The addresses in a text, separated by commas or line breaks; `Name <address>` is understood.
 * Refuses a text without any, and one with too many (BAD_REQUEST).
 */
export function parseAddresses(given: string): Addresses {
  const parts = given
    .split(/[,\n]/)
    .map((part) => (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim())
    .filter((part) => part !== "");
  if (parts.length === 0) throw badRequest("Name at least one e-mail address.");
  if (parts.length > addressesMax)
    throw badRequest(`Invite at most ${addressesMax} people at a time.`);
  const emails = new Map<string, string>();
  const invalid: AddressProblem[] = [];
  for (const part of parts) {
    const email = readAddress(part);
    if (email === undefined) invalid.push([part, "Invalid address.", false]);
    else if (!emails.has(emailKeyOf(email))) emails.set(emailKeyOf(email), email);
  }
  return { emails: [...emails.values()], invalid };
}

/** Whether a text is a valid e-mail address for an account. */
export const isEmail = (text: string) => readAddress(text) !== undefined;

function readAddress(text: string): string | undefined {
  try {
    return cleanEmail(text);
  } catch {
    return undefined;
  }
}
