import { signed } from "./api";
import { bodyOf, Refusal, refusalOf } from "./refusal";
import { changeMilliseconds, timeLimit } from "./time-limit";

/** A browser in which the person is signed in. Times are UNIX seconds. */
export interface Session {
  readonly id: number;
  readonly browser: string;
  readonly last_seen_at: number;
  readonly is_current: boolean;
}

/** The browsers in which the person is signed in, oldest first. Throws a `Refusal`. */
export async function readSessions(): Promise<readonly Session[]> {
  const { sessions }: { sessions: readonly Session[] } = await readPage("/account/sessions");
  return sessions;
}

/** Whether the person can sign in with a password. Throws a `Refusal`. */
export async function readHasPassword(): Promise<boolean> {
  const { has_password: hasPassword }: { has_password: boolean } =
    await readPage("/account/session");
  return hasPassword;
}

async function readPage(path: string) {
  const response = await fetch(path, { signal: timeLimit() }).catch((error: unknown) => {
    throw Refusal.of(error);
  });
  if (!response.ok) throw await refusalOf(response);
  return bodyOf(response);
}

/**
 * Signs the person out of one browser, or of all other browsers than this one. Throws a `Refusal`.
 */
export async function endSession(id?: number): Promise<void> {
  const body = new URLSearchParams(id === undefined ? {} : { session_id: String(id) });
  const signal = timeLimit(null, changeMilliseconds);
  await signed((headers) =>
    fetch("/account/sessions/end", { method: "POST", body, headers, signal }),
  );
}
