import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../support/processes/free-port";
import { scratchFolder } from "../../support/scratch-folder";
import { startMilliseconds, type Wire, withPatience } from "./driven-tab";
import type { Engine } from "./engine";
import { startProgram } from "./program";
import { patienceMilliseconds } from "./tab";

/** WebKitGTK's own small browser on a screen that nobody sees, driven by WebDriver. */
export const webkit: Engine = {
  name: "WebKit",
  programs: ["WebKitWebDriver", "Xvfb"],
  async start(proxyPort) {
    const home = await mkdtemp(join(scratchFolder(), "chatd-webkit-"));
    const screen = startProgram(
      "Xvfb -displayfd 1 -screen 0 1600x1200x24 -nolisten tcp".split(" "),
    );
    const display = await screen.says(/^(\d+)\n/m);
    const env = {
      HOME: home,
      DISPLAY: `:${display}`,
      GDK_BACKEND: "x11",
      NO_AT_BRIDGE: "1",
    };
    return {
      open: () => openTab(env, proxyPort),
      async close() {
        await screen.end();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
};

type Ask = <Value>(method: string, path: string, body?: object) => Promise<Value>;

const asking =
  (site: string): Ask =>
  async (method, path, body) => {
    const response = await fetch(site + path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(patienceMilliseconds),
    }).catch((error) => {
      throw new Error(`WebKit has not answered ${path}: ${error.message}`);
    });
    const { value } = JSON.parse(await response.text());
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };

/** Waits for a driver, which says nothing when it is ready. */
async function ready(ask: Ask): Promise<void> {
  for (;;) {
    const isReady = await ask("GET", "/status").then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await Bun.sleep(10);
  }
}

const triesMax = 3;

/**
 * A driver with a browser, in which nobody is signed in. A driver that has lost the browser which
 * it starts never answers: it is ended with it, and another one is started.
 */
async function startSession(env: Record<string, string>, proxyPort: number, tries = 1) {
  const port = freePort();
  const { end } = startProgram(["WebKitWebDriver", `--port=${port}`], env);
  const ask = asking(`http://127.0.0.1:${port}`);
  // The proxy that WebDriver has a capability for would have to speak https itself.
  const args = ["--automation", `--proxy=http://127.0.0.1:${proxyPort}`];
  const wanted = { acceptInsecureCerts: true, "webkitgtk:browserOptions": { args } };
  const session = { capabilities: { alwaysMatch: wanted } };
  try {
    await withPatience(ready(ask), "WebKitWebDriver", startMilliseconds);
    const { sessionId } = await ask<{ sessionId: string }>("POST", "/session", session);
    return { ask, end, path: `/session/${sessionId}` };
  } catch (error) {
    await end();
    if (tries === triesMax) throw error;
    return startSession(env, proxyPort, tries + 1);
  }
}

async function openTab(env: Record<string, string>, proxyPort: number): Promise<Wire> {
  const { ask, end, path: session } = await startSession(env, proxyPort);
  const here = <Value = void>(path: string, body: object = {}) =>
    ask<Value>("POST", session + path, body);
  return {
    go: (url) => here("/url", { url }),
    reload: () => here("/refresh"),
    compute: (expression) =>
      here<string>("/execute/async", { script: `(${expression}).then(arguments[0])`, args: [] }),
    perform: (actions) => here("/actions", { actions }),
    resize: (width, height) => here("/window/rect", { width, height }),
    async close() {
      await ask("DELETE", session).finally(end);
    },
  };
}
