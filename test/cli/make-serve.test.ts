import { expect, test } from "bun:test";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { outcomeOf } from "../support/outcome";
import { freePort } from "../support/processes/free-port";
import { startServer } from "../support/processes/server-process";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { freshFolder } from "./chatd";
import { linksIn, openChat, pressed } from "./printed-links";

const hasTools = requireTool("git") && requireTool("make");

test.skipIf(!hasTools)(
  "make serve in a fresh clone prints an address that opens the chat",
  async () => {
    const clone = join(freshFolder(), "chatd");
    const { exitCode } = spawnSync(["git", "clone", "--quiet", "--shared", root, clone]);
    expect(exitCode).toBe(0);
    // The packages of this checkout, which make then takes for installed: it must not install
    // through the link.
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    const make = ["make", "--no-print-directory", "--old-file=node_modules/.installed", "serve"];
    const port = String(freePort());
    const server = await startServer(
      make,
      { CHATD_PORT: port, CHATD_HOST: "127.0.0.1" },
      clone,
    ).ready();
    expect(new URL(server.site).port).toBe(port);
    const [link, ...more] = linksIn(server.output());
    expect([more, existsSync(join(clone, "data", "chatd.db"))]).toEqual([[], true]);
    const browser = await pressed(link?.url ?? "");
    expect(await openChat(browser)).toEqual({ name: "Owner", channels: ["general"] });
    await server.stop();
    expect(server.log()).toContain('"event":"stopping"');
    expect(await outcomeOf(fetch(`${server.site}/healthz`))).toThrow();
  },
);
