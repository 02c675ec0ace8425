import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, record, text } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../users/renew-context";
import { changeOwnSettingsIn } from "./change";
import type { SettingValue } from "./stored";

export const RunCommand = record({ command: text() });

/**
 * Commands in the compose box that change the look of a client, by the setting that they change.
 */
const commands = new Map<string, [string, SettingValue]>([
  ["dark", ["color_scheme", 2]],
  ["night", ["color_scheme", 2]],
  ["light", ["color_scheme", 3]],
  ["day", ["color_scheme", 3]],
  ["fluid-width", ["fluid_layout_width", true]],
  ["fixed-width", ["fluid_layout_width", false]],
]);

/**
 * Runs a command that somebody has typed instead of a message: `/ping` does nothing, so that
 * clients can measure the time; the others change a setting. Event: user_settings update, to the
 * user, if the setting changes. Refuses an unknown command, and bots (BAD_REQUEST).
 */
export async function runCommand(
  ctx: Context<Person>,
  { command }: Input<typeof RunCommand>,
): Promise<undefined> {
  if (!command.startsWith("/")) throw badRequest("A command begins with a slash.");
  const name = command.slice(1);
  if (name === "ping") return;
  const change = commands.get(name);
  if (!change) throw badRequest(`No such command: ${name}`);
  if (ctx.actor.kind !== "user") throw badRequest("This endpoint does not accept bot requests.");
  await write(ctx, async (tx) => {
    const { actor } = await renewContext(tx, ctx);
    await changeOwnSettingsIn(tx, actor.user, new Map([change]));
  });
}
