import { expect, test } from "bun:test";
import type { ApiError } from "../../src/core/errors";
import * as builders from "../../src/core/errors";
import * as storage from "../../src/core/storage/storage-errors";
import { codeWords, reasonWords } from "../../src/sign-in/reason-words";
import { refusalIn } from "../../src/sign-in/refusal";

/* Refusals as pages in German show them: `refusalIn` translates each that a verb can throw. */

const { badRequest, csrfFailed, invalidCredentials, rateLimitHit, realmDeactivated } = builders;
const { serverBusy, tooLarge, unauthorized, userDeactivated } = builders;
const { databaseUnavailable, insufficientStorage, outcomeUnknown, storageDamaged } = storage;

/** Refusals that any page can meet, because they come of the request, the session or the server. */
const everywhere: ApiError[] = [
  csrfFailed("Sent by another site.", "origin"),
  csrfFailed("Another session's.", "token"),
  databaseUnavailable("away"),
  insufficientStorage(),
  invalidCredentials(),
  outcomeUnknown(),
  rateLimitHit(7),
  realmDeactivated(),
  serverBusy(),
  storageDamaged(),
  tooLarge(1_000),
  unauthorized(),
  userDeactivated(),
];

test("a refusal that any page can meet has a German text of its own, and keeps code and status", () => {
  const texts = everywhere.map((refusal) => {
    const german = refusalIn(refusal, "de");
    expect([german.code, german.status]).toEqual([refusal.code, refusal.status]);
    expect(refusalIn(refusal, "en")).toBe(refusal);
    return german.message;
  });
  expect(new Set(texts).size).toBe(everywhere.length);
  expect(texts).not.toContain(codeWords.de.otherwise);
  for (const { message } of everywhere) expect(texts).not.toContain(message);
  expect(refusalIn(rateLimitHit(7), "de").message).toContain("Warte 7 s");
});

test("a refusal that nobody has translated is told in German all the same, not in English", () => {
  const unforeseen = badRequest("Only in English.");
  expect(refusalIn(unforeseen, "de").message).toBe(codeWords.de.otherwise);
});

test("a bug stays one, and its request is named in German", () => {
  expect(() => refusalIn(new RangeError("A bug."), "de")).toThrow(RangeError);
  const { "server-error": text } = reasonWords.de;
  expect(text("5f0c")).toContain("unter der Anfrage 5f0c.");
});
