import type { Tx } from "../../core/context";
import { exportsChanged } from "./events";
import { listExports } from "./queries";
import { exportWire } from "./wire";

/**
 * Announces the list of all exports to administrators, in the write that changes an export. Event:
 * realm_export.
 */
export async function announceExports(tx: Tx, realmId: number, url: string): Promise<void> {
  const rows = await listExports(tx, realmId);
  await tx.emit(
    { to: "administrators" },
    exportsChanged({ exports: rows.map((row) => exportWire(row, url)) }),
  );
}
