import type { AuditFacts } from "../../core/audit";
import type { Context } from "../../core/context";
import { mayReadAddress } from "../../core/rights/person-visibility";
import { emailKeyOf, listUsers, placeholderEmail } from "../../people/users/queries";
import type { WireAct } from "./wire";

const addressPattern = /[^\s,:()]+@[^\s,:()]+/g;

/**
 * Acts for an owner, with the placeholder for the addresses of people who show theirs to nobody:
 * present and former ones in acts about these people, present ones in the changes by an
 * organization's file. Addresses of invitations stay, because a placeholder there would tell that
 * an account has the address. The operator reads all addresses.
 */
export async function hideAddresses(
  { reader, realm, actor }: Context,
  acts: readonly WireAct[],
): Promise<readonly WireAct[]> {
  if (!("user" in actor)) return acts;
  const viewer = { userId: actor.user.id, role: actor.user.role };
  const users = await listUsers(reader, realm.id);
  const hidden = users.filter((person) => !mayReadAddress(viewer, person));
  if (hidden.length === 0) return acts;
  const ids = new Set(hidden.map(({ id }) => id));
  const idsByKey = new Map(hidden.map(({ id, emailKey }) => [emailKey, id]));
  const shownAddress = (address: string) => {
    const id = idsByKey.get(emailKeyOf(address));
    return id === undefined ? address : placeholderEmail(realm.host, id);
  };
  return acts.map((act) => {
    if (act.action === "realm.apply")
      return { ...act, after: withShownAddresses(act.after, shownAddress) };
    const [id = 0, ...others] = act.target.ids;
    if (act.target.kind !== "user" || others.length > 0 || !ids.has(id)) return act;
    const email = placeholderEmail(realm.host, id);
    return { ...act, before: withEmail(act.before, email), after: withEmail(act.after, email) };
  });
}

const withEmail = (facts: AuditFacts, email: string): AuditFacts =>
  "email" in facts ? { ...facts, email } : facts;

/** The lines of an organization's file that changed something, with other addresses. */
function withShownAddresses(
  facts: AuditFacts,
  shownAddress: (address: string) => string,
): AuditFacts {
  const { changes } = facts;
  if (!Array.isArray(changes)) return facts;
  const lines = changes.map((line) =>
    typeof line === "string" ? line.replace(addressPattern, shownAddress) : line,
  );
  return { ...facts, changes: lines };
}
