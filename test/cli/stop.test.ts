import { afterAll, expect, test } from "bun:test";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { freshFolder, organizationFile, readCredentials, serve, waitFor } from "./chatd";

/** Number of times that the server is stopped under load: `CHATD_STOPS=10` for the long form. */
const stops = Number(process.env["CHATD_STOPS"] ?? 2);
const clientsCount = 24;
const answersBeforeStop = 600;
const loadMilliseconds = 30_000;

const agents: Agent[] = [];
afterAll(() => {
  for (const agent of agents) agent.destroy();
});

interface Tally {
  answered: number;
  /** Answers other than 200, and requests that had a connection and no whole answer. */
  broken: string[];
  /** Answers that said that their connection ends. */
  closing: number;
}

interface Ask {
  url: string;
  method: string;
  authorization: string;
  form?: string;
}

/** One request: true where it was answered, false where nobody listened any more. */
function ask(
  agent: Agent,
  { url, method, authorization, form }: Ask,
  tally: Tally,
): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    const sent = request(url, { agent, method, headers }, (answer) => {
      answer.on("error", (error) => tally.broken.push(`${method} ${error.message}`));
      answer.on("end", () => {
        tally.answered += 1;
        if (answer.headers.connection === "close") tally.closing += 1;
        if (answer.statusCode !== 200 || !answer.complete)
          tally.broken.push(`${method} ${answer.statusCode}`);
        resolve(true);
      });
      answer.resume();
    });
    sent.on("error", (error) => {
      const isRefused = "code" in error && error.code === "ECONNREFUSED";
      if (!isRefused) tally.broken.push(`${method} ${error.message}`);
      resolve(false);
    });
    sent.end(form);
  });
}

/** Asks one thing after the other on a kept connection until nobody listens. */
async function keepAsking(asks: Ask[], tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  for (let turn = 0; ; turn++) {
    const next = asks[turn % asks.length];
    if (!next || !(await ask(agent, next, tally))) return;
  }
}

test(
  `of ${stops} stops under load none breaks a request`,
  async () => {
    for (let stop = 0; stop < stops; stop++) {
      const file = join(freshFolder(), "credentials.json");
      const flags = ["--requests-per-minute-per-key", "0", "--requests-per-minute-per-user", "0"];
      const server = await serve([
        "--ephemeral",
        "--apply",
        organizationFile,
        "--credentials",
        file,
        ...flags,
      ]);
      const people = readCredentials(file).users;
      const tally: Tally = { answered: 0, broken: [], closing: 0 };
      const clients = Array.from({ length: clientsCount }, (_, index) => {
        const { email, api_key } = people[index % people.length] ?? { email: "", api_key: "" };
        const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
        const api = server.site.replace("127.0.0.1", "localhost");
        const form = `type=direct&to=${encodeURIComponent(JSON.stringify([email]))}&content=hello`;
        return keepAsking(
          [
            { url: `${api}/api/v1/users/me`, method: "GET", authorization },
            { url: `${api}/api/v1/messages`, method: "POST", authorization, form },
          ],
          tally,
        );
      });
      await waitFor(
        () => (tally.answered >= answersBeforeStop ? true : undefined),
        loadMilliseconds,
      );
      expect(await server.stop()).toBe(0);
      await Promise.all(clients);
      expect(tally.broken).toEqual([]);
      expect(tally.closing).toBeGreaterThan(0);
    }
  },
  60_000 + stops * 10_000,
);
