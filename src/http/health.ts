/** Phase of a server between its start and its end. */
export type Phase = "starting" | "ready" | "stopping";

const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/**
 * Milliseconds for which an answer about the storage is reused, so that frequent checks cost the
 * database nothing.
 */
const storageAnswerMilliseconds = 1_000;

/** Checks whether the storage answers: undefined if it does, otherwise the reason in words. */
export type StorageCheck = () => Promise<string | undefined>;

/**
 * Checks the storage at most once a second, however often it is called and however long the storage
 * takes.
 */
export function askRarely(check: StorageCheck, nowMilliseconds: () => number): StorageCheck {
  let asked: { at: number; answer: Promise<string | undefined> } | undefined;
  let isUnderWay = false;
  return () => {
    const now = nowMilliseconds();
    if (!asked || (!isUnderWay && now - asked.at >= storageAnswerMilliseconds)) {
      isUnderWay = true;
      const answer = check().finally(() => {
        isUnderWay = false;
      });
      asked = { at: now, answer };
    }
    return asked.answer;
  };
}

/**
 * The answer of `/healthz`: the process is alive and its event loop runs. It says nothing about the
 * storage.
 */
export const healthAnswer = () => new Response('{"status":"alive"}', { headers });

/** The answer of `/readyz`: 200 if requests are welcome, otherwise 503 with the reason. */
export async function readinessAnswer(
  phase: Phase,
  checkStorage: StorageCheck | undefined,
): Promise<Response> {
  if (phase !== "ready")
    return new Response(JSON.stringify({ status: phase }), { status: 503, headers });
  const reason = await checkStorage?.();
  if (reason === undefined) return new Response('{"status":"ready"}', { headers });
  return new Response(JSON.stringify({ status: "storage_unavailable", reason }), {
    status: 503,
    headers,
  });
}
