import { isoTime } from "../../src/core/clock";
import { listReceivers, removeReceivers } from "../../src/devices/registration/operator";
import { loadAccount } from "../../src/moving/organization/lookup";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";

/**
 * `chatd admin user devices EMAIL [--remove]`: the devices that get a person's notifications; with
 * `--remove` they are removed.
 */
export async function showDevices(email: string, options: RealmOptions & { remove?: boolean }) {
  if (options.remove) {
    const removed = await withOperator(options, async (ctx) =>
      removeReceivers(ctx, (await loadAccount(ctx, email)).id),
    );
    printResult(options, { removed }, [
      `${email} is notified on ${removed} device${removed === 1 ? "" : "s"} less.`,
    ]);
    return;
  }
  const devices = await withOperator(options, async (ctx) =>
    listReceivers(ctx, (await loadAccount(ctx, email)).id),
  );
  const shown = devices.map(({ createdAt, ...device }) => ({ ...device, created_at: createdAt }));
  const rows = devices.map(({ id, kind, state, createdAt }) => [
    String(id),
    kind,
    state,
    isoTime(createdAt),
  ]);
  printResult(
    options,
    { devices: shown },
    formatTable(["ID", "KIND", "STATE", "REGISTERED"], rows),
  );
}
