import { accountOf } from "./account";
import type { Actor, Context, UserRow } from "./context";
import { parsedJson } from "./json/parsed-json";
import { isRecord } from "./json/record";
import type { Log } from "./log";

/** Acts that the audit log tells of, as `noun.verb`. */
export const auditActions = [
  "api_key.create",
  "api_key.renew",
  "api_key.revoke",
  "attachment.delete",
  "bot.create",
  "bot.update",
  "channel.add_default",
  "channel.archive",
  "channel.create",
  "channel.remove_default",
  "channel.renew_addresses",
  "channel.subscribe",
  "channel.unsubscribe",
  "channel.update",
  "default_group.change_channels",
  "default_group.create",
  "default_group.remove",
  "default_group.update",
  "device.remove",
  "domain.add",
  "domain.remove",
  "domain.update",
  "emoji.add",
  "emoji.remove",
  "export.delete",
  "export.request",
  "folder.create",
  "folder.reorder",
  "folder.update",
  "group.change_members",
  "group.change_subgroups",
  "group.create",
  "group.deactivate",
  "group.reactivate",
  "group.update",
  "invitation.create",
  "invitation.renew",
  "invitation.revoke",
  "linkifier.add",
  "linkifier.remove",
  "linkifier.reorder",
  "linkifier.update",
  "login_link.create",
  "message.delete",
  "message.move",
  "playground.add",
  "playground.remove",
  "profile_field.create",
  "profile_field.delete",
  "profile_field.reorder",
  "profile_field.update",
  "realm.apply",
  "realm.create",
  "realm.deactivate",
  "realm.import",
  "realm.reactivate",
  "realm.update",
  "realm.update_defaults",
  "realm.update_picture",
  "session.end",
  "session.start",
  "topic.delete",
  "user.change_email",
  "user.change_password",
  "user.create",
  "user.deactivate",
  "user.delete",
  "user.reactivate",
  "user.unlock",
  "user.update",
  "webhook_secret.remove",
  "webhook_secret.set",
  "webhook_template.remove",
  "webhook_template.set",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Kinds of objects that acts are about. The organization and the kinds of names have no ids. */
export const auditTargets = [
  "attachment",
  "channel",
  "default_group",
  "domain",
  "emoji",
  "export",
  "folder",
  "group",
  "invitation",
  "linkifier",
  "message",
  "playground",
  "profile_field",
  "realm",
  "user",
  "webhook_template",
] as const;
type AuditTarget = (typeof auditTargets)[number];

/** Values that an act changes, by names of the protocol: never a secret or a message's text. */
export type AuditFacts = Readonly<Record<string, unknown>>;

/** An act, as a verb notes it inside its write with `tx.audit`. */
export interface Audited {
  readonly action: AuditAction;
  readonly kind: AuditTarget;
  readonly ids?: readonly number[];
  readonly before?: AuditFacts;
  readonly after?: AuditFacts;
  /**
   * The account that the sender of a request has proved to own without having signed in: that
   * account is the actor.
   */
  readonly proven?: UserRow;
}

/** Parts of a context that say who acts, and from where. */
export type AuditedBy = Pick<Context, "actor" | "client" | "clientAddress"> &
  Partial<Pick<Context, "requestId">>;

/**
 * Declaration by which an endpoint that changes something is audited: each call writes one row with
 * one of these actions; with `onlyIf` one or none; without actions none, for the reason.
 */
export interface Auditing {
  readonly actions: readonly AuditAction[];
  readonly onlyIf?: string;
  readonly reason?: string;
}

export const audited = (...actions: AuditAction[]): Auditing => ({ actions });
export const auditedIf = (onlyIf: string, ...actions: AuditAction[]): Auditing => ({
  actions,
  onlyIf,
});
export const notAudited = (reason: string): Auditing => ({ actions: [], reason });

/** Reasons of several endpoints. */
export const auditReasons = {
  conversation: "conversations are not watched; the messages themselves tell who wrote them",
  oneself: "it changes only what somebody sees themselves",
  link: "it mails a link; what the link is used for is audited",
} as const;

/**
 * Joins several notes into one act. Inner parts of a verb note what they change, and the verb
 * itself notes last and names the act. Facts about one object are merged. A note about another
 * object replaces the earlier ones, because they were consequences.
 */
export function joinNotes(earlier: Audited | undefined, later: Audited): Audited {
  if (!earlier || earlier.kind !== later.kind || !areSame(earlier.ids, later.ids)) return later;
  return {
    ...later,
    before: { ...earlier.before, ...later.before },
    after: { ...earlier.after, ...later.after },
  };
}

const areSame = (one: readonly number[] = [], other: readonly number[] = []) =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/** The facts that differ between two descriptions of an object. */
export function changedFacts(
  before: AuditFacts,
  after: AuditFacts,
): { before: AuditFacts; after: AuditFacts } {
  const names = Object.keys({ ...before, ...after });
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const factsOf = (facts: AuditFacts) =>
    Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  return { before: factsOf(before), after: factsOf(after) };
}

/** Facts that are stored as a JSON object. */
export function storedFacts(json: string): AuditFacts {
  const facts = parsedJson(json);
  return isRecord(facts) ? facts : {};
}

/** Actors as the log names them. */
export const auditActorKinds = ["person", "bot", "operator", "server", "nobody"] as const;
type AuditActorKind = (typeof auditActorKinds)[number];

const kindOf: Readonly<Record<Actor["kind"], AuditActorKind>> = {
  user: "person",
  bot: "bot",
  webhook: "bot",
  operator: "operator",
  job: "server",
  spectator: "nobody",
  anonymous: "nobody",
};

/** Ways in which an actor was known: a browser's session, an API key, or none of both. */
const wayOf = (actor: Actor): "session" | "key" | "" =>
  "user" in actor && actor.apiKeyId !== 0 ? ("isSession" in actor ? "session" : "key") : "";

/** Columns of a row of the audit log, but for its organization and its time. */
export function auditRow({ actor, client, clientAddress }: AuditedBy, noted: Audited) {
  const proven = actor.kind === "anonymous" ? noted.proven : undefined;
  const user = proven ?? accountOf(actor);
  return {
    actorKind: proven === undefined ? kindOf[actor.kind] : "person",
    actorId: user?.id ?? null,
    way: wayOf(actor),
    keyId: "user" in actor && actor.apiKeyId !== 0 ? actor.apiKeyId : null,
    address: (clientAddress?.() ?? "").slice(0, addressLengthMax),
    client,
    action: noted.action,
    targetKind: noted.kind,
    targetIds: JSON.stringify((noted.ids ?? []).slice(0, idsMax)),
    details: detailsText(noted),
  };
}

/**
 * Logs an act of a request for those who watch the log; what it has changed stands in the table
 * alone. The operator sees what their own command does.
 */
export function logAct(
  log: Pick<Log, "info">,
  realmId: number,
  { by, noted }: { by: AuditedBy; noted: Audited },
): void {
  const { actor, requestId } = by;
  if (actor.kind === "operator" || actor.kind === "job") return;
  const { actorId, address, action, targetKind, targetIds } = auditRow(by, noted);
  const account = (accountOf(actor) ?? noted.proven)?.email;
  const target = { targetKind, targetIds, realmId };
  log.info("audited", { action, address, account, actorId, ...target, requestId });
}

const addressLengthMax = 200;
const idsMax = 200;
/** Bytes that the facts of one act may take. */
export const detailsBytesMax = 4_000;
const textLengthMax = 400;
const listLengthMax = 100;

/** JSON of the facts, cut where a text or a list is long; only their names if it is still long. */
function detailsText({ before = {}, after = {} }: Audited): string {
  const text = JSON.stringify({ before: short(before), after: short(after) });
  if (Buffer.byteLength(text) <= detailsBytesMax) return text;
  const names = Object.keys({ ...before, ...after }).slice(0, 20);
  return JSON.stringify({ before: {}, after: { too_long: names } });
}

function short(value: unknown): unknown {
  if (typeof value === "string") {
    const clean = value.replaceAll("\0", "").toWellFormed();
    return clean.length > textLengthMax
      ? `${clean.slice(0, textLengthMax).toWellFormed()}…`
      : clean;
  }
  if (Array.isArray(value)) {
    const more = value.length - listLengthMax;
    return [...value.slice(0, listLengthMax).map(short), ...(more > 0 ? [`… ${more} more`] : [])];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, short(one)]));
}
