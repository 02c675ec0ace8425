import { sessionPassword } from "./credentials";
import { warmedUp } from "./load-reads";
import type { Figures, LoadTarget } from "./load-target";
import { measureTogether, type Scenario } from "./work";

const turnMs = 250;
const ownRequest = "/api/v1/users/me";

/**
 * Headers of a browser in which the first user is signed in, as the page of the client sends them.
 */
interface Session {
  cookie: string;
  csrfToken: string;
}

async function signIn({ port, users: [user] }: LoadTarget): Promise<Session> {
  const site = `http://127.0.0.1:${port}`;
  const body = new URLSearchParams({ email: user?.email ?? "", password: sessionPassword });
  const sent = await fetch(`${site}/login`, { method: "POST", body, redirect: "manual" });
  const cookie = sent.headers
    .getSetCookie()
    .map((header) => header.split(";")[0])
    .join("; ");
  const told = await fetch(`${site}/account/session`, { headers: { cookie } });
  if (!told.ok) throw new Error(`the first user cannot sign in: ${sent.status}, ${told.status}`);
  const { csrf_token: csrfToken }: { csrf_token: string } = await told.json();
  return { cookie, csrfToken };
}

/** A request as clients send it, with the headers that say who asks. */
function format(who: readonly string[], method: string, path: string, form?: string): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...who,
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Sec-Fetch-Site: same-origin",
  ];
  const body = [
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${form?.length}`,
  ];
  const lines = form === undefined ? head : [...head, ...body];
  return `${lines.join("\r\n")}\r\n\r\n${form ?? ""}`;
}

/** One request of the first user, again and again. */
const repeated = (prefix: string, request: string): Scenario => ({
  prefix,
  turnMs,
  prepare: (target) => warmedUp({ ...target, users: target.users.slice(0, 1) }, () => request),
});

const authorization = ({ users: [user] }: LoadTarget) => user?.authorization ?? "";
const form = "apply_markdown=true&include_subscribers=false&slim_presence=true";

/** The first user is in all channels: their state is as long as it gets. */
async function joinAll(target: LoadTarget): Promise<void> {
  const at = (path: string) => `http://127.0.0.1:${target.port}/api/v1${path}`;
  const headers = { authorization: authorization(target) };
  const answer = await fetch(at("/streams"), { headers });
  const { streams }: { streams: { name: string }[] } = await answer.json();
  const subscriptions = JSON.stringify(streams.map(({ name }) => ({ name })));
  const body = new URLSearchParams({ subscriptions });
  const joined = await fetch(at("/users/me/subscriptions"), { method: "POST", headers, body });
  if (!joined.ok) throw new Error(`the channels were not joined: ${await joined.text()}`);
}

/**
 * The costs of a browser: a request in its session beside one by key, `register` in its session,
 * compressed, beside `register` by key, and the page of the web client with its state inside.
 */
export async function measureSessions(target: LoadTarget): Promise<Figures> {
  await joinAll(target);
  const { cookie, csrfToken } = await signIn(target);
  const key = [`Authorization: ${authorization(target)}`];
  const session = [`Cookie: ${cookie}`];
  const change = [...session, `X-CSRFToken: ${csrfToken}`];
  // Apart from long answers, because what those leave to collect would count for the next one.
  const short = await measureTogether(target, [
    repeated("byKey", format(key, "GET", ownRequest)),
    repeated("bySession", format(session, "GET", ownRequest)),
  ]);
  const long = await measureTogether(target, [
    repeated("registerByKey", format(key, "POST", "/api/v1/register", form)),
    repeated("registerBySession", format(change, "POST", "/api/v1/register", form)),
    repeated("page", format(session, "GET", "/")),
  ]);
  const { byKeyCpuUs = Number.NaN, bySessionCpuUs = Number.NaN } = short;
  return { ...short, ...long, sessionToKey: bySessionCpuUs / byKeyCpuUs };
}
