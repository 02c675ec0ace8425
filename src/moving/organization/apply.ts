import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { App, Context, RealmRow, Tx } from "../../core/context";
import { ApiError } from "../../core/errors";
import { operatorContext } from "../../core/operator";
import { roles } from "../../core/rights/role";
import { write } from "../../core/write";
import { deleteWholeRealm } from "../../management/organization/delete";
import { emailKeyOf, isActivePerson } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { removalsSettled } from "../../pictures/store";
import { renderDescriptions } from "../../realm/descriptions";
import { findRealmByHost } from "../../realm/queries";
import { declarePasswordIn } from "../../sign-in/declared-passwords";
import { hashPasswords } from "../../sign-in/passwords";
import type { Change } from "./change";
import { type Credential, issueCredentials } from "./credentials";
import type { Declaration, Declared } from "./declaration";
import { refuse, type Source } from "./file/problems";
import { makeRealm } from "./make-realm";
import { decodePictures, discardUnused, storePictures } from "./pictures";
import { planChanges, prunedParts } from "./plan";
import type { Plan } from "./planning";
import { noteSources, recognizePictures } from "./recognize-pictures";
import { nothingStored, readStored, type Stored } from "./stored";
import { findUndeclared, type Undeclared } from "./undeclared";
import { type PasswordHashes, type Prepared, type Work, workOn } from "./work";

export interface ApplyOptions {
  /**
   * Accounts that get a new API key: `all` declared accounts, whose keys from earlier credentials
   * files are revoked, or only the `added` ones.
   */
  withCredentials?: "all" | "added";
  /**
   * Whether to hash passwords after the write, because hashing takes longer than everything else. A
   * job, or the first sign-in with the password, then hashes it.
   */
  passwordsLater?: boolean;
  /** Whether to deactivate or archive objects that the file does not declare; see `planChanges`. */
  prunes?: boolean;
  /** Reports the progress as a few words and two numbers. It must return without waiting. */
  progress?(what: string, done: number, total: number): void;
}

export interface Applied {
  realm: RealmRow;
  /** Changes, in the order in which they were made. */
  changes: Change[];
  /** With `withCredentials`: people before bots, in the order of the file. */
  credentials: Credential[];
  /**
   * Sentences about keys that ended because their owner, with the new key in `credentials`, had too
   * many.
   */
  notices: string[];
  /** Whether the organization has an active owner. */
  hasOwner: boolean;
}

/** Advice for the operator of an organization whose file has no owner. */
export const adviceForOwnerless =
  "Declare one in the file (role: owner), or make somebody one: chatd admin user role EMAIL owner";

/**
 * Highest number of rounds of planning and carrying out. One plan can make further changes
 * necessary, because new people are subscribed to the default channels automatically.
 */
const roundsMax = 4;

/** Changes that `applyOrganization` would make, and objects that the file does not declare. */
export interface Difference {
  changes: Change[];
  undeclared: Undeclared;
}

/**
 * Changes that `applyOrganization` would make. It makes them and rolls them back, so it refuses the
 * file with the errors of `applyOrganization` (BAD_REQUEST), with line numbers. For an organization
 * that does not exist yet, it only plans the changes.
 */
export async function diffOrganization(
  app: App,
  given: Declared,
  options: Pick<ApplyOptions, "prunes"> = {},
): Promise<Difference> {
  const declared = await recognizePictures(app, given);
  const { realm, changes, stored } = await planNow(app, declared, options);
  const decoded = await decodePictures(declared.source, changes);
  const undeclared = findUndeclared(declared.declaration, stored);
  if (!realm || changes.length === 0) return { changes, undeclared };
  const ctx = operatorContext(app, realm);
  const passwords = changes.flatMap(({ password }) => password ?? []);
  const prepared = {
    hashes: new Map(passwords.map(({ email }) => [email, ""])),
    pictures: await storePictures(ctx, decoded),
    descriptions: await renderDescriptionsOf(changes),
  };
  return { changes: await tryChanges(ctx, declared, prepared, options), undeclared };
}

/** Makes changes in a write, and rolls the write back. */
async function tryChanges(
  ctx: Context,
  declared: Declared,
  prepared: Prepared,
  options: ApplyOptions,
): Promise<Change[]> {
  const end = new Error("A trial is rolled back.");
  let changes: Change[] = [];
  try {
    await write(ctx, async (tx) => {
      ({ changes } = await applyIn(tx, ctx, declared, prepared, options));
      throw end;
    });
  } catch (error) {
    if (error !== end) throw error;
  } finally {
    await discardUnused(ctx, prepared.pictures, []);
  }
  return changes;
}

const renderDescriptionsOf = (changes: readonly Change[]) =>
  renderDescriptions(changes.flatMap(({ description }) => description ?? []));

/** Changes that `applyOrganization` would make where there is no data yet. */
export async function diffFromNothing(declared: Declared): Promise<Difference> {
  const { source, declaration } = declared;
  const { changes } = checkedPlan(source, planChanges(declaration, nothingStored));
  await decodePictures(source, changes);
  return { changes, undeclared: {} };
}

/**
 * Makes an organization match its file (see `planChanges`), in one write, with the events of all
 * verbs that it uses. A new realm is made before that write, and deleted again if the rest is
 * refused. Applying the file again changes nothing. Refuses a file that cannot be applied
 * (BAD_REQUEST), with line numbers, and then changes nothing.
 */
export async function applyOrganization(
  app: App,
  given: Declared,
  options: ApplyOptions = {},
): Promise<Applied> {
  const declared = await recognizePictures(app, given);
  const { realm: storedRealm, changes } = await planNow(app, declared, options);
  const decoded = await decodePictures(declared.source, changes);
  const hashes: PasswordHashes = options.passwordsLater
    ? new Map()
    : await hashAll(app, changes, options);
  const { realm, isNew } = storedRealm
    ? { realm: storedRealm, isNew: false }
    : await makeRealm(app, declared.declaration.realm);
  const ctx = operatorContext(app, realm);
  try {
    const pictures = await storePictures(ctx, decoded);
    const descriptions = await renderDescriptionsOf(changes);
    const applied = await applyPrepared(ctx, declared, { hashes, pictures, descriptions }, options);
    const [addRealm] = changes;
    return isNew && addRealm ? { ...applied, changes: [addRealm, ...applied.changes] } : applied;
  } catch (error) {
    if (isNew) await discardRealm(app, realm);
    throw error;
  }
}

async function applyPrepared(
  ctx: Context,
  declared: Declared,
  prepared: Prepared,
  options: ApplyOptions,
) {
  try {
    const applied = await write(ctx, async (tx) => {
      const answer = await applyIn(tx, ctx, declared, prepared, options);
      await noteSources(tx, ctx.realm.id, declared);
      return answer;
    });
    await discardUnused(ctx, prepared.pictures, applied.changes);
    await removalsSettled();
    return applied;
  } catch (error) {
    // After any other error it is unknown whether the write was committed, so the pictures stay.
    if (error instanceof ApiError) await discardUnused(ctx, prepared.pictures, []);
    throw error;
  }
}

async function planNow(
  app: App,
  declared: Declared,
  { prunes }: ApplyOptions,
): Promise<Plan & { realm: RealmRow | undefined; stored: Stored }> {
  const { source, declaration } = declared;
  const { engine, clock } = app;
  const stored = await engine.snapshot(async (reader) => {
    const realm = await findRealmByHost(reader, declaration.realm.host);
    return realm ? readStored(app, reader, realm.id, clock.now()) : nothingStored;
  });
  const plan = planChanges(declaration, stored, prunes ? prunedParts(declared) : undefined);
  return { ...checkedPlan(source, plan), realm: stored.realm, stored };
}

function checkedPlan(source: Source, plan: Plan): Plan {
  if (plan.problems.length > 0) throw refuse(source, plan.problems);
  return plan;
}

async function hashAll(
  app: App,
  changes: readonly Change[],
  { progress }: ApplyOptions,
): Promise<PasswordHashes> {
  const passwords = changes.flatMap(({ password }) => password ?? []);
  const hashes = new Map<string, string>();
  await hashPasswords(app, passwords, ({ email }, hash) => {
    hashes.set(email, hash);
    progress?.("Hashing passwords", hashes.size, passwords.length);
  });
  return hashes;
}

/** The part of an application inside the write. It plans again from the data as stored then. */
async function applyIn(
  tx: Tx,
  outer: Context,
  declared: Declared,
  prepared: Prepared,
  { withCredentials, progress, prunes }: ApplyOptions,
): Promise<Applied> {
  const { source, declaration } = declared;
  const pruned = prunes ? prunedParts(declared) : undefined;
  const ctx = { ...(await renewContext(tx, outer)), reader: tx };
  const changes: Change[] = [];
  for (let round = 0; round < roundsMax; round++) {
    const stored = await readStored(ctx.app, tx, ctx.realm.id, tx.now);
    const plan = checkedPlan(source, planChanges(declaration, stored, pruned));
    const possible = plan.changes.filter(
      ({ password }) => !password?.isAll || prepared.hashes.has(password.email),
    );
    if (possible.length === 0) {
      await declarePasswords(tx, ctx, stored, plan.changes);
      const emails = emailsToIssue(declaration, changes, withCredentials);
      const issued = await issueCredentials(tx, ctx, { stored, emails });
      const after = { changes: changes.flatMap(({ lines }) => lines), keys_issued: emails.length };
      if (changes.length + emails.length > 0)
        tx.audit(ctx, { action: "realm.apply", kind: "realm", after });
      const hasOwner = stored.users.some(
        (user) => user.role === roles.owner && isActivePerson(user),
      );
      return { realm: stored.realm ?? ctx.realm, changes, hasOwner, ...issued };
    }
    const work = workOn(tx, ctx, stored, prepared);
    for (const [done, change] of possible.entries()) {
      progress?.("Making changes", done, possible.length);
      await carryOut(source, change, work);
    }
    changes.push(...possible);
  }
  throw new Error("Applying an organization did not finish.");
}

/** Sets the passwords that were not hashed before the write. */
async function declarePasswords(
  tx: Tx,
  ctx: Context,
  { users }: Stored,
  changes: readonly Change[],
): Promise<void> {
  const ids = new Map(users.map(({ id, emailKey }) => [emailKey, id]));
  for (const { password } of changes) {
    const userId = password?.isAll ? ids.get(emailKeyOf(password.email)) : undefined;
    if (password && userId !== undefined)
      await declarePasswordIn(tx, ctx, userId, password.password);
  }
}

/**
 * Makes a change. If a verb refuses it, the refusal becomes a problem with the place in the file
 * that asks for the change.
 */
async function carryOut(source: Source, change: Change, work: Work): Promise<void> {
  try {
    await change.carryOut(work);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw refuse(source, [{ path: change.path, message: error.message }]);
  }
}

function emailsToIssue(
  { users, bots }: Declaration,
  changes: readonly Change[],
  who: ApplyOptions["withCredentials"],
) {
  const emails = [...users, ...bots].map(({ email }) => email);
  if (who !== "added") return who === "all" ? emails : [];
  const added = new Set(changes.map(({ addedEmail }) => addedEmail));
  return emails.filter((email) => added.has(email));
}

/** Deletes a realm again, unless another process has added something to it meanwhile. */
async function discardRealm(app: App, { id }: RealmRow): Promise<void> {
  const discard = async (tx: Reader) => {
    const { db, t } = tx;
    const isPerson = and(eq(t.users.realmId, id), eq(t.users.isSystemBot, false));
    const people = await db.select({ id: t.users.id }).from(t.users).where(isPerson).limit(1);
    const channels = await db
      .select({ id: t.channels.id })
      .from(t.channels)
      .where(eq(t.channels.realmId, id))
      .limit(1);
    if (people.length + channels.length > 0) return;
    await deleteWholeRealm(tx, id);
  };
  await app.engine.write(id, discard, () => undefined);
}
