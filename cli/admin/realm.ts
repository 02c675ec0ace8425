import { isoTime } from "../../src/core/clock";
import type { Context, RealmRow } from "../../src/core/context";
import {
  createRealm as createRealmVerb,
  prepareRealm,
} from "../../src/management/organization/create";
import * as realmDeactivation from "../../src/management/organization/deactivate";
import { updateRealmSettings } from "../../src/management/organization/update";
import { countOrganization } from "../../src/moving/figures/consequences";
import {
  listOrganizations,
  loadChannelId,
  loadHolders,
  loadOrganization,
} from "../../src/moving/organization/lookup";
import { nameSettings } from "../../src/moving/organization/named-settings";
import { parseUserDefaults, setUserSettingsDefaults } from "../../src/people/settings/defaults";
import { isUserSettingName, userSettings } from "../../src/people/settings/user-settings";
import { namesChannel } from "../../src/realm/channel-settings";
import { findRealmByHost } from "../../src/realm/queries";
import { isRealmSettingName, parseRealmSettings, realmSettings } from "../../src/realm/settings";
import { addMissing } from "../addition";
import { isAgreed, type Plan } from "../consent";
import { requireData, withApp, withNewApp, withOperator } from "../operator";
import type { CommonOptions, RealmOptions } from "../options";
import { formatTable, printNotice, printResult, UsageError } from "../output";
import { readValue } from "../read-value";

const shown = ({ id, name, host, isActive, deletionAt, createdAt }: RealmRow) => ({
  id,
  name,
  host,
  is_active: isActive,
  deletion_at: deletionAt,
  created_at: createdAt,
});

function stateOf({ isActive, deletionAt }: RealmRow): string {
  if (isActive) return "active";
  if (deletionAt === realmDeactivation.deletionBegun) return "being deleted";
  return deletionAt === null ? "deactivated" : `deactivated, deleted at ${isoTime(deletionAt)}`;
}

/** `chatd admin realm create [--if-missing]`: makes an organization without people. */
export async function createRealm(options: CommonOptions & { name: string; host: string }) {
  const { name, host } = options;
  const prepared = readValue(() => prepareRealm({ name, host }));
  const describe = (realm: RealmRow) =>
    `There is an organization at ${realm.host} already: ${realm.name} (${stateOf(realm)}).`;
  const { thing: realm, isNew } = await withNewApp(options, (app) =>
    addMissing(options, {
      find: () => findRealmByHost(app.engine.reader, prepared.host),
      add: () => createRealmVerb(app, { name, host }, app.clock.now()),
      describe,
    }),
  );
  printResult(options, { realm: shown(realm), was_there: !isNew }, [
    isNew ? `Created the organization ${realm.name} at ${realm.host}.` : describe(realm),
  ]);
  const addOwner = "chatd admin user add you@example.com --name You --role owner --realm";
  if (isNew) printNotice(`Nobody is in it yet. Add its owner: ${addOwner} ${realm.host}`);
}

/** `chatd admin realm list` */
export async function listRealms(options: CommonOptions) {
  requireData(options);
  const realms = await withApp(options, listOrganizations);
  const rows = realms.map((realm) => [
    String(realm.id),
    realm.host,
    realm.name,
    isoTime(realm.createdAt),
    stateOf(realm),
  ]);
  printResult(
    options,
    { realms: realms.map(shown) },
    formatTable(["ID", "HOST", "NAME", "CREATED", "STATE"], rows),
  );
}

/**
 * `chatd admin realm show`: the organization, the space that its files take, and all of its
 * settings.
 */
export async function showRealm(options: RealmOptions) {
  const { realm, settings, named, quotaMib } = await withOperator(options, async (ctx) => {
    const { realm, app } = ctx;
    const settings = parseRealmSettings(realm.settings);
    const named = await nameSettings(ctx, settings);
    return { realm, settings, named, quotaMib: app.config.uploadQuotaMib };
  });
  const rows = Object.entries(named).map(([name, value]) => [name, showValue(value)]);
  const facts = [
    ["name", realm.name],
    ["host", realm.host],
    ["created", isoTime(realm.createdAt)],
    ["state", stateOf(realm)],
    ["files", roomTaken(realm.uploadedBytes, quotaMib)],
  ];
  const files = { upload_space_used: realm.uploadedBytes, upload_quota_mib: quotaMib };
  printResult(
    options,
    { realm: shown(realm), ...files, settings },
    formatTable(["SETTING", "VALUE"], [...facts, ...rows]),
  );
}

const bytesPerMib = 1_048_576;

/** Space that files take, and the available space. */
const roomTaken = (bytes: number, quotaMib: number) =>
  `${(bytes / bytesPerMib).toFixed(1)} MiB${quotaMib === 0 ? "" : ` of ${quotaMib} MiB`}`;

const showValue = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** `chatd admin realm update SETTING=VALUE …` */
export async function updateRealm(assignments: readonly string[], options: RealmOptions) {
  const wanted = assignments.map(splitAssignment);
  const { changed, named } = await withOperator(options, async (ctx) => {
    const changes: Record<string, unknown> = {};
    for (const [name, text] of wanted) changes[name] = await readSetting(ctx, name, text);
    const changed = await updateRealmSettings(ctx, changes);
    return { changed, named: await nameSettings(ctx, changed) };
  });
  const lines = Object.entries(named).map(([name, value]) => `${name} is now ${showValue(value)}.`);
  printResult(options, { changed }, lines.length === 0 ? ["Nothing is different."] : lines);
}

function splitAssignment(assignment: string): [name: string, text: string] {
  const [, name, text] = /^([a-z0-9_]+)=(.*)$/s.exec(assignment) ?? [];
  if (name !== undefined && text !== undefined) return [name, text];
  throw new UsageError(`Write SETTING=VALUE instead of '${assignment}'.`);
}

/**
 * `chatd admin realm defaults [SETTING=VALUE …]`: changes default settings of new users, and shows
 * all of them.
 */
export async function showUserDefaults(assignments: readonly string[], options: RealmOptions) {
  const changes = assignments
    .map(splitAssignment)
    .map(([name, text]) => [name, readUserSetting(name, text)]);
  const defaults = await withOperator(options, async (ctx) =>
    changes.length === 0
      ? parseUserDefaults(ctx.realm)
      : setUserSettingsDefaults(ctx, Object.fromEntries(changes)),
  );
  const rows = Object.entries(defaults).map(([name, value]) => [name, showValue(value)]);
  printResult(options, { defaults }, formatTable(["SETTING", "VALUE"], rows));
}

const readUserSetting = (name: string, text: string): unknown =>
  isUserSettingName(name) && typeof userSettings[name].default !== "string" ? readJson(text) : text;

/**
 * A value as people type it: plain text, JSON, names of groups and addresses separated by commas,
 * or the name of a channel.
 */
async function readSetting(ctx: Context, name: string, text: string): Promise<unknown> {
  if (!isRealmSettingName(name)) return text;
  const rule = realmSettings[name];
  if (rule.type === "group") return loadHolders(ctx, text.split(","));
  if (typeof rule.default === "string" || text === "unlimited" || text === "default") return text;
  return namesChannel(name) ? readChannel(ctx, text) : readJson(text);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readChannel(ctx: Context, text: string): Promise<number> {
  if (text === "none") return -1;
  return /^-?\d+$/.test(text) ? Number(text) : loadChannelId(ctx, text);
}

/** `chatd admin realm deactivate [--delete-after-days DAYS]`: ends all access to it at once. */
export async function deactivateRealm(options: RealmOptions & { deleteAfterDays?: string }) {
  const { deleteAfterDays } = options;
  if (deleteAfterDays !== undefined && !/^\d{1,6}$/.test(deleteAfterDays)) {
    throw new UsageError("--delete-after-days must be a whole number of days.");
  }
  const days = deleteAfterDays === undefined ? null : Number(deleteAfterDays);
  const realm = await withOperator(options, async (ctx) => {
    if (!(await isAgreed(options, await planDeactivation(ctx, days)))) return undefined;
    await realmDeactivation.deactivateRealm(ctx, { deletionDelayDays: days });
    return loadOrganization(ctx.app, ctx.realm.host);
  });
  if (!realm) return;
  const kept =
    realm.deletionAt === null
      ? "Its data is kept."
      : `Its data is deleted at ${isoTime(realm.deletionAt)}.`;
  printResult(options, { realm: shown(realm) }, [
    `Deactivated ${realm.name} (${realm.host}). ${kept}`,
  ]);
}

async function planDeactivation(ctx: Context, days: number | null): Promise<Plan> {
  const { realm } = ctx;
  realmDeactivation.requireDeactivatable(ctx, realm, days);
  const after =
    days === null
      ? "Its data is kept: chatd admin realm reactivate brings it back."
      : `Its data is deleted after ${days} days; until then chatd admin realm reactivate brings it back.`;
  return {
    act: `deactivate the organization ${realm.name} (${realm.host})`,
    name: realm.host,
    figures: await countOrganization(ctx, realm),
    notes: [after],
  };
}

/** `chatd admin realm reactivate`: API keys work again. */
export async function reactivateRealm(options: RealmOptions) {
  const realm = await withOperator(options, async (ctx) => {
    await realmDeactivation.reactivateRealm(ctx);
    return loadOrganization(ctx.app, ctx.realm.host);
  });
  printResult(options, { realm: shown(realm) }, [`Reactivated ${realm.name} (${realm.host}).`]);
}
