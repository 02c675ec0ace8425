import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { scratchFolder } from "../../support/scratch-folder";
import { startMilliseconds, type Wire, withPatience } from "./driven-tab";
import type { Engine } from "./engine";
import { startProgram } from "./program";

/** Firefox ESR, driven by WebDriver BiDi over a socket that it opens itself. */
export const firefox: Engine = {
  name: "Firefox",
  programs: ["firefox-esr"],
  async start(proxyPort) {
    const profile = await mkdtemp(join(scratchFolder(), "chatd-firefox-"));
    const command = ["firefox-esr", "--headless", "--remote-debugging-port=0"];
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
      async close() {
        await send("browser.close", {}).catch(() => program.end());
        await program.ended();
        await rm(profile, { recursive: true, force: true });
      },
    };
  },
};

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

async function openTab(send: Send): Promise<Wire> {
  const { userContext } = await send("browser.createUserContext", {});
  const { context } = await send("browsingContext.create", { type: "tab", userContext });
  const here = async (method: string, params: Record<string, unknown>) =>
    void (await send(method, { context, ...params }));
  return {
    go: (url) => here("browsingContext.navigate", { url, wait: "complete" }),
    reload: () => here("browsingContext.reload", { wait: "complete" }),
    async compute(expression) {
      const { result, exceptionDetails } = await send("script.evaluate", {
        target: { context },
        expression,
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
    perform: (actions) => here("input.performActions", { actions }),
    resize: (width, height) => here("browsingContext.setViewport", { viewport: { width, height } }),
    close: async () => void (await send("browser.removeUserContext", { userContext })),
  };
}
