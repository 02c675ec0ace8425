import type { Context, Person, Tx } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { badRequest } from "../../core/errors";
import { flag, type Input, ids, optional, record, text } from "../../core/params";
import { write } from "../../core/write";
import { followVisibilityIn } from "../../people/presence/visibility";
import { announceSetting, changeOwnSettingsIn } from "../../people/settings/change";
import { updateSettingsOfOthersIn } from "../../people/settings/others";
import { checkedSettings, type SettingValue } from "../../people/settings/stored";
import { userSettings } from "../../people/settings/user-settings";
import { announceAccountChange } from "../../people/users/announce";
import { renewContext } from "../../people/users/renew-context";
import { settingParameters } from "../../realm/parameters";
import {
  type PreparedOwnAccount,
  prepareOwnAccount,
  updateOwnAccountIn,
} from "../accounts/own-account";

export const UpdateSettings = record({
  fullName: optional(text()),
  email: optional(text()),
  oldPassword: optional(text()),
  newPassword: optional(text()),
  timezone: optional(text()),
  targetUsers: optional(
    record({
      user_ids: optional(ids()),
      group_ids: optional(ids()),
      skip_if_already_edited: flag(),
    }),
  ),
  ...settingParameters(userSettings),
});

/**
 * Changes the actor's own account and settings: all given values, or none. An administrator who
 * names `targetUsers` changes the settings of those users instead. Events: user_settings update of
 * each setting and the time zone, to the user; realm_user update with the parts that others see,
 * and `presence` when they become visible or invisible. Refusals: see `prepareOwnAccount`,
 * `updateOwnAccountIn` and `updateSettingsOfOthersIn`.
 */
export async function updateSettings(
  ctx: Context<Person>,
  input: Input<typeof UpdateSettings>,
  connection: Pick<Connection, "address" | "header">,
): Promise<undefined> {
  const { fullName, email, oldPassword, newPassword, timezone, targetUsers, ...given } = input;
  const changes = checkedSettings(given);
  const account = { fullName, email, newPassword, timezone };
  if (targetUsers) {
    const personal = Object.entries(account).find(([, value]) => value !== undefined);
    if (personal)
      throw badRequest("Only the settings of other users can be changed here, not their accounts.");
    await write(ctx, async (tx) => {
      await updateSettingsOfOthersIn(tx, await renewContext(tx, ctx), targetUsers, changes);
      const after = { targets: targetUsers, ...Object.fromEntries(changes) };
      tx.audit(ctx, { action: "user.update", kind: "user", after });
    });
    return;
  }
  const prepared = await prepareOwnAccount(ctx, { ...account, oldPassword }, connection);
  await write(ctx, async (tx) => updateOwnIn(tx, await renewContext(tx, ctx), prepared, changes));
}

/**
 * Changes an account and its settings in one write. Other people get the state after all changes,
 * so that no address is shown that is hidden before or afterwards.
 */
async function updateOwnIn(
  tx: Tx,
  ctx: Context<Person>,
  account: PreparedOwnAccount,
  changes: ReadonlyMap<string, SettingValue>,
) {
  const before = ctx.actor.user;
  const renewed = await updateOwnAccountIn(tx, ctx, account);
  const { id, timezone } = renewed;
  if (timezone !== before.timezone) await announceSetting(tx, [id], "timezone", timezone);
  const after = await changeOwnSettingsIn(tx, renewed, changes);
  await announceAccountChange(tx, before, after);
  await followVisibilityIn(tx, ctx, before, after);
}
