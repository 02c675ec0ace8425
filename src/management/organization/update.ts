import { type Static, Type } from "@sinclair/typebox";
import type { Context, Person } from "../../core/context";
import { type Input, json, optional, record, text } from "../../core/params";
import { readGroupSettingChange } from "../../core/rights/group-setting";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { settingParameters } from "../../realm/parameters";
import {
  choice,
  isRealmSettingName,
  realmColumns,
  realmSettings,
  type SettingRule,
} from "../../realm/settings";
import { shownSettings } from "../../realm/shown-settings";
import { updateRealmSettingsIn } from "./change-settings";

export const UpdateRealm = record({
  name: optional(text()),
  authentication_methods: optional(json()),
  ...settingParameters(realmSettings),
});

const updated = "updated";

/** A text is not repeated in the answer, because the sender knows it. */
function answeredRule(rule: SettingRule): SettingRule {
  const isText = rule.type === "string" || typeof rule.default === "string";
  if (!isText || rule.type === "group") return rule;
  return { ...choice(updated, [updated]), ...(rule.nullable ? { nullable: true } : {}) };
}

const answeredRules = Object.entries<SettingRule>({ ...realmColumns, ...realmSettings }).map(
  ([name, rule]) => [name, answeredRule(rule)],
);

/** Settings that have changed; for a text only that it was updated. */
export const ChangedRealm = Type.Partial(record(shownSettings(Object.fromEntries(answeredRules))));

/**
 * Changes the organization's name and settings: all given ones, or none. Answers the changed
 * settings, texts as `"updated"`. A group setting is given as `{"new": …, "old": …}`. Events and
 * refusals: see `updateRealmSettingsIn`.
 */
export async function updateRealm(
  ctx: Context<Person>,
  input: Input<typeof UpdateRealm>,
): Promise<Static<typeof ChangedRealm>> {
  const { changes, expected } = readChanges(input);
  const data = await write(ctx, async (tx) =>
    updateRealmSettingsIn(tx, await renewContext(tx, ctx), changes, expected),
  );
  const shown = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === "string" ? updated : value,
  ]);
  return Object.fromEntries(shown);
}

/**
 * Changes the name and settings for the operator, groups as the names of system groups or values;
 * see `updateRealmSettingsIn`.
 */
export async function updateRealmSettings(
  ctx: Context,
  changes: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return write(ctx, async (tx) => updateRealmSettingsIn(tx, await renewContext(tx, ctx), changes));
}

/** The new values, and the expected old ones. */
function readChanges(input: Record<string, unknown>) {
  const changes: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(input)) {
    const holdsGroup = isRealmSettingName(name) && realmSettings[name].type === "group";
    const change = holdsGroup
      ? readGroupSettingChange(name, given)
      : { new: given, old: undefined };
    changes[name] = change.new;
    if (change.old !== undefined) expected[name] = change.old;
  }
  return { changes, expected };
}
