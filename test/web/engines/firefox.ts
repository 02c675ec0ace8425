import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scratchFolder } from "../../support/scratch-folder";
import { startMilliseconds, type Wire, withPatience } from "./driven-tab";
import type { Engine, RunningEngine } from "./engine";
import { startProgram } from "./program";
import { patienceMilliseconds } from "./tab";

/** Settings of Firefox by their names, as `about:config` shows them. */
type Preferences = Readonly<Record<string, string | number | boolean>>;

/** A notification on the screen. */
interface Alert {
  readonly title: string;
  readonly body: string;
}

export interface RunningFirefox extends RunningEngine {
  /** Notifications on the screen, which are windows of the browser. */
  alerts(): Promise<readonly Alert[]>;
  clickAlert(body: string): Promise<void>;
  /** A tab that the browser has opened by itself, as soon as its address ends so. */
  openedTab(ending: string): Promise<Wire>;
}

/** Firefox ESR, driven by WebDriver BiDi over a socket that it opens itself. */
export const firefoxWith = (preferences: Preferences): Engine<RunningFirefox> => ({
  name: "Firefox",
  programs: ["firefox-esr"],
  async start(proxyPort) {
    const profile = await mkdtemp(join(scratchFolder(), "chatd-firefox-"));
    const lines = Object.entries(preferences).map((pair) => `user_pref(${pairOf(pair)});\n`);
    await writeFile(join(profile, "user.js"), lines.join(""));
    // The windows of the browser itself may be asked too, as those of notifications.
    const more = ["--remote-debugging-port=0", "--remote-allow-system-access"];
    const command = ["firefox-esr", "--headless", ...more];
    const program = startProgram([...command, "--profile", profile], { HOME: profile });
    const address = await program.says(/BiDi listening on (ws:\S+)\n/);
    const send = await connect(`${address}/session`);
    const proxy = { proxyType: "manual", sslProxy: `127.0.0.1:${proxyPort}` };
    const capabilities = { alwaysMatch: { acceptInsecureCerts: true, proxy } };
    await send("session.new", { capabilities }, startMilliseconds);
    // The first answer about tabs comes when the first window is there.
    await send("browsingContext.getTree", {}, startMilliseconds);
    return {
      open: () => openTab(send),
      alerts: async () => (await inAlerts(send, readAlert)).map((json) => JSON.parse(json)),
      clickAlert: async (body) => void (await inAlerts(send, clickAlert(body))),
      openedTab: (ending) => openedTab(send, ending),
      async close() {
        await send("browser.close", {}).catch(() => program.end());
        await program.ended();
        await rm(profile, { recursive: true, force: true });
      },
    };
  },
});

const pairOf = (pair: readonly unknown[]): string => pair.map((one) => JSON.stringify(one)).join();

interface Answer {
  id?: number;
  type: string;
  message?: string;
  result: Result;
}

/** Values that the commands which are sent here answer. */
interface Result {
  userContext: string;
  context: string;
  contexts: readonly { context: string; url: string }[];
  result: { value: string };
  exceptionDetails?: { text: string };
}

type Send = (
  method: string,
  params: Record<string, unknown>,
  milliseconds?: number,
) => Promise<Result>;

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  socket.onmessage = ({ data }) => {
    const { id, type, message, result }: Answer = JSON.parse(String(data));
    const asked = id === undefined ? undefined : waiting.get(id);
    if (type === "error") asked?.reject(new Error(message));
    else asked?.resolve(result);
  };
  socket.onclose = () => {
    for (const asked of waiting.values()) asked.reject(new Error("Firefox has gone."));
  };
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  await withPatience(opened.promise, "A socket to Firefox", startMilliseconds);
  let count = 0;
  return async (method, params, milliseconds) => {
    if (socket.readyState !== WebSocket.OPEN) throw new Error("Firefox has gone.");
    const id = ++count;
    const asked = Promise.withResolvers<Result>();
    waiting.set(id, asked);
    socket.send(JSON.stringify({ id, method, params }));
    return withPatience(asked.promise, method, milliseconds).finally(() => waiting.delete(id));
  };
}

const readAlert = `JSON.stringify({
  title: document.getElementById("alertTitleLabel").getAttribute("value"),
  body: document.getElementById("alertTextLabel").textContent,
})`;

const clickAlert = (body: string) => `(() => {
  const text = document.getElementById("alertTextLabel").textContent;
  if (text === ${JSON.stringify(body)}) document.getElementById("alertBox").click();
  return "";
})()`;

/** Computes an expression, which is a string, in the windows of all notifications. */
async function inAlerts(send: Send, expression: string): Promise<string[]> {
  const { contexts } = await send("browsingContext.getTree", { "moz:scope": "chrome" });
  const alerts = contexts.filter(({ url }) => url.endsWith("/alert.xhtml"));
  const answers = alerts.map(async ({ context }) => {
    // A window that closes at that moment computes nothing.
    const answer = await compute(send, context, expression).catch(() => undefined);
    return answer === undefined ? [] : [answer];
  });
  return (await Promise.all(answers)).flat();
}

async function openedTab(send: Send, ending: string): Promise<Wire> {
  const patience = AbortSignal.timeout(patienceMilliseconds);
  while (!patience.aborted) {
    const { contexts } = await send("browsingContext.getTree", {});
    const found = contexts.find(({ url }) => url.endsWith(ending));
    if (found) {
      const close = () => send("browsingContext.close", { context: found.context });
      return wireOf(send, found.context, async () => void (await close()));
    }
    await Bun.sleep(10);
  }
  throw new Error(`No tab has opened at ${ending}.`);
}

async function compute(send: Send, context: string, expression: string): Promise<string> {
  const { result, exceptionDetails } = await send("script.evaluate", {
    target: { context },
    expression,
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value;
}

async function openTab(send: Send): Promise<Wire> {
  const { userContext } = await send("browser.createUserContext", {});
  const { context } = await send("browsingContext.create", { type: "tab", userContext });
  const close = () => send("browser.removeUserContext", { userContext });
  return wireOf(send, context, async () => void (await close()));
}

function wireOf(send: Send, context: string, close: () => Promise<void>): Wire {
  const here = async (method: string, params: Record<string, unknown>) =>
    void (await send(method, { context, ...params }));
  return {
    go: (url) => here("browsingContext.navigate", { url, wait: "complete" }),
    reload: () => here("browsingContext.reload", { wait: "complete" }),
    compute: (expression) => compute(send, context, expression),
    perform: (actions) => here("input.performActions", { actions }),
    resize: (width, height) => here("browsingContext.setViewport", { viewport: { width, height } }),
    close,
  };
}
