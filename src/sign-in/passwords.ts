import type { App, PasswordCosts, UserRow } from "../core/context";
import { rateLimitHit, refusedFor } from "../core/errors";
import { perServer } from "../core/per-server";
import { isLonger } from "../core/text/name";
import { lengthsMax, passwordLengthMin } from "../protocol/limits";

/** 19 MiB and two passes: OWASP's recommendation, 25 to 35 ms. */
export const fullPasswordCosts: PasswordCosts = { memoryKib: 19_456, passes: 2 };

/**
 * A hash that no known password has, with an app's costs. It is checked if there is no account, so
 * that this takes as long as with one.
 */
export const dummyHash = ({ memoryKib, passes }: PasswordCosts) =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$rMcdm4OJr9LnxtuLne88PIwcxJQUuLXXsn8kQ1fbvv8$AsqMUgOTmu10B0J+XnPFeakj7Z++A3t5ERwGGdihk8Y`;

const hashOf = (password: string, { memoryKib, passes }: PasswordCosts) =>
  Bun.password.hash(password, {
    algorithm: "argon2id",
    memoryCost: memoryKib,
    timeCost: passes,
  });

/** Seconds after which to try again if the queue is full. */
const waitSeconds = 5;

/** Limits how many hashes are computed at a time, because each takes a core and 19 MiB. */
interface Gate {
  free: number;
  waiting: (() => void)[];
}

const hashingGate = perServer(
  ({ config }: Pick<App, "config">): Gate => ({ free: config.passwordHashesAtOnce, waiting: [] }),
);

function gateWithRoom(app: App): Gate {
  const gate = hashingGate.of(app);
  if (gate.waiting.length >= app.config.passwordChecksWaitingMax) throw rateLimitHit(waitSeconds);
  return gate;
}

async function withGate<T>(gate: Gate, run: () => Promise<T>): Promise<T> {
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

/**
 * The Argon2id hash of a new password; never inside a write. Refuses a password that is too short
 * or too long, before hashing (BAD_REQUEST), and too many waiting requests, like `isPasswordRight`
 * (RATE_LIMIT_HIT).
 */
export async function hashPassword(app: App, password: string): Promise<string> {
  requireGoodLength(password);
  return withGate(gateWithRoom(app), () => hashOf(password, app.passwordCosts));
}

/** The person who is to have a password: facts that others know. */
type PasswordHolder = Pick<UserRow, "email" | "fullName">;

/**
 * `hashPassword` of a password that a person chooses, or gets from an administrator. Refuses the
 * person's own address, its part before the @, and their name too, because others try these first
 * (BAD_REQUEST).
 */
export async function hashPasswordOf(
  app: App,
  { email, fullName }: PasswordHolder,
  password: string,
): Promise<string> {
  const [given, ...guessable] = [password, email, email.replace(/@[^@]*$/, ""), fullName].map(
    (text) => text.normalize("NFKC").trim().toLowerCase(),
  );
  requireGoodLength(password);
  if (given !== undefined && guessable.includes(given)) {
    throw refusedFor(
      "password-own",
      "A password must not be your name or your e-mail address: others can guess these.",
    );
  }
  return hashPassword(app, password);
}

/**
 * Hashes many passwords, several at a time, and gives each hash to `take`. They never fill the
 * queue in which people wait, and they are not refused because that queue is full. For the
 * operator.
 */
export async function hashPasswords<One extends { password: string }>(
  app: App,
  many: Iterable<One>,
  take: (one: One, hash: string) => Promise<void> | void,
): Promise<void> {
  const rest = Iterator.from(many);
  const hashOneByOne = async () => {
    for (const one of rest) {
      requireGoodLength(one.password);
      await take(
        one,
        await withGate(hashingGate.of(app), () => hashOf(one.password, app.passwordCosts)),
      );
    }
  };
  await Promise.all(Array.from({ length: app.config.passwordHashesAtOnce }, hashOneByOne));
}

function requireGoodLength(password: string) {
  if (isLonger(password, lengthsMax.password) || !isLonger(password, passwordLengthMin - 1)) {
    throw refusedFor(
      "password-length",
      `A password must have ${passwordLengthMin} to ${lengthsMax.password} characters.`,
      String(passwordLengthMin),
      String(lengthsMax.password),
    );
  }
}

/**
 * Whether a password has this hash. `hash` is null if there is no account or it has no password:
 * this takes as long as a wrong password, so that the time reveals nothing. A text that is too long
 * to be a password is not hashed. Refuses at once if too many requests wait already
 * (RATE_LIMIT_HIT), because nobody may keep the server busy with many requests.
 */
export async function isPasswordRight(
  app: App,
  password: string,
  hash: string | null,
): Promise<boolean> {
  if (password === "" || isLonger(password, lengthsMax.password)) return false;
  const isRight = await withGate(gateWithRoom(app), () =>
    Bun.password.verify(password, hash ?? dummyHash(app.passwordCosts)),
  );
  return isRight && hash !== null;
}
