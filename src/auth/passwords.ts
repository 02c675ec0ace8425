import type { App } from "../core/context";
import { badRequest } from "../core/errors";
import { isLonger } from "../core/name";
import { protocolLimits } from "../realm/limits";

const { passwordMinLength, passwordMaxLength } = protocolLimits;

/** 19 MiB and two passes: OWASP's recommendation, 25 to 35 ms. */
const hashing = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** The hash of a password that nobody knows, made with the same costs: where there is no account, this is checked. */
export const dummyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$rMcdm4OJr9LnxtuLne88PIwcxJQUuLXXsn8kQ1fbvv8$AsqMUgOTmu10B0J+XnPFeakj7Z++A3t5ERwGGdihk8Y";

/** Lets only so many hashes be worked on at a time: each takes a core and 19 MiB. */
interface Gate {
  free: number;
  waiting: (() => void)[];
}

const gates = new WeakMap<App, Gate>();

async function withGate<T>(app: App, run: () => Promise<T>): Promise<T> {
  const gate = gates.get(app) ?? { free: app.config.passwordHashesAtOnce, waiting: [] };
  gates.set(app, gate);
  if (gate.free > 0) gate.free -= 1;
  else await new Promise<void>((resolve) => gate.waiting.push(resolve));
  try {
    return await run();
  } finally {
    const next = gate.waiting.shift();
    if (next) next();
    else gate.free += 1;
  }
}

/** The Argon2id hash of a new password; never inside a write. Refuses one that is too short or too long, before hashing. */
export async function hashPassword(app: App, password: string): Promise<string> {
  if (isLonger(password, passwordMaxLength) || !isLonger(password, passwordMinLength - 1)) {
    throw badRequest(`A password must have ${passwordMinLength} to ${passwordMaxLength} characters.`);
  }
  return withGate(app, () => Bun.password.hash(password, hashing));
}

/**
 * Whether a password is the one that was hashed. `hash` is null where there is no account or it has no password: that
 * takes as long as a wrong password, so that the time does not tell. What is too long to be a password is not hashed.
 */
export async function isPasswordRight(app: App, password: string, hash: string | null): Promise<boolean> {
  if (password === "" || isLonger(password, passwordMaxLength)) return false;
  const isRight = await withGate(app, () => Bun.password.verify(password, hash ?? dummyHash));
  return isRight && hash !== null;
}
