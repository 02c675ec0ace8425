import { openApp } from "../../../src/app";
import { loadConfig } from "../../../src/config/config";
import { makeLog } from "../../../src/core/log";
import type { AnyJob } from "../../../src/jobs/define";
import { deliverScheduled } from "../../../src/own/scheduled-messages/deliver";
import { makeFakeClock } from "../fake-clock";

/**
 * Works off the scheduled messages of some data at some time, and kills itself on the way. Its
 * argument is a `Delivery`.
 */
export interface Delivery {
  dataFolder: string;
  databaseUrl: string | undefined;
  /** UNIX seconds. */
  now: number;
  /**
   * Where it is killed: when the message is ready, when it is written and not committed, or just
   * after the commit.
   */
  diesWhen: "prepared" | "written" | "committed";
}

const die = () => process.kill(process.pid, "SIGKILL");

const deadly = (diesWhen: Delivery["diesWhen"]): AnyJob => ({
  ...deliverScheduled,
  async run(ctx, payload, signal) {
    const finish = await deliverScheduled.run(ctx, payload, signal);
    if (diesWhen === "prepared") die();
    return async (tx, current) => {
      const again = await finish?.(tx, current);
      if (diesWhen === "written") die();
      tx.afterCommit(die);
      return again;
    };
  },
});

if (import.meta.main) {
  const { dataFolder, databaseUrl, now, diesWhen }: Delivery = JSON.parse(process.argv[2] ?? "");
  const clock = makeFakeClock(now);
  const app = await openApp(
    loadConfig({ port: "0", data: dataFolder, database: databaseUrl }, undefined, {}),
    {
      clock,
      log: makeLog(clock, "error", (line) => console.warn(line)),
      jobs: [deadly(diesWhen)],
      exit: (code) => process.exit(code),
    },
  );
  app.startBackground();
  setInterval(() => undefined, 1_000);
}
