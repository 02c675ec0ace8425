import type { Credential } from "./credentials";

/** Target of an attack, and the people who take part in it. */
export interface Scene {
  port: number;
  /** Somebody who may do everything, to set the scene. */
  owner: Credential;
  /** People who do nothing ordinary meanwhile, the attackers among them. */
  others: readonly Credential[];
}

/** One request of an attack, ready to be sent. */
export type Strike = () => Promise<Response>;

/**
 * Attack by somebody who does not mean well, within the rate limits that a server has by default.
 * Preparing it makes what it needs, and gives what is then done over and over: each strike on a
 * connection of its own, one request at a time.
 */
export type Attack = (scene: Scene) => Promise<Strike[]>;

/** Outcome of an attack. */
export interface Damage {
  answered: number;
  /** Requests that were told to wait (429, 503). */
  refused: number;
  bytes: number;
  /** CPU time of the attacker itself. */
  cpuMs: number;
}

const patienceMs = 20_000;
/** A pause after a connection broke, so that a server that closes it is not asked again at once. */
const brokenMs = 100;
const longestWaitMs = 2_000;

export type Form = Readonly<Record<string, string>>;

/** A request as anybody's client sends it; `authorization` is empty for a stranger. */
export function ask(
  { port }: Scene,
  method: string,
  path: string,
  authorization: string,
  body?: Form | FormData | string,
): Promise<Response> {
  const headers: Record<string, string> = { host: "127.0.0.1" };
  if (authorization !== "") headers.authorization = authorization;
  const isForm = typeof body === "object" && !(body instanceof FormData);
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: isForm ? new URLSearchParams(body) : body }),
    signal: AbortSignal.timeout(patienceMs),
    redirect: "manual",
  });
}

/** A request that has to succeed, with its answer. */
export async function mustAsk(
  ...request: Parameters<typeof ask>
): Promise<Record<string, unknown>> {
  const response = await ask(...request);
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(
      `${request[1]} ${request[2]} was refused with ${response.status}: ${text.slice(0, 300)}`,
    );
  return JSON.parse(text) as Record<string, unknown>;
}

/** Does one strike over and over while `isOn`; waits as long as it is told to. */
export async function keepStriking(
  strike: Strike,
  isOn: () => boolean,
  damage: Damage,
): Promise<void> {
  while (isOn()) {
    const waitMs = await strikeOnce(strike, damage);
    const untilMs = performance.now() + Math.min(waitMs, longestWaitMs);
    while (isOn() && performance.now() < untilMs) await Bun.sleep(20);
  }
}

/** Strikes; resolves with how long to wait before the next time. */
async function strikeOnce(strike: Strike, damage: Damage): Promise<number> {
  try {
    const response = await strike();
    for await (const chunk of response.body ?? []) damage.bytes += chunk.length;
    const mustWait = response.status === 429 || response.status === 503;
    if (mustWait) damage.refused += 1;
    else damage.answered += 1;
    return mustWait ? Number(response.headers.get("retry-after") ?? 1) * 1000 : 0;
  } catch {
    damage.refused += 1;
    return brokenMs;
  }
}
