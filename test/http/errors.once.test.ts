import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as refusals from "../../src/core/errors";
import * as storageErrors from "../../src/core/storage/storage-errors";

const errors = { ...refusals, ...storageErrors };

/** Every refusal that src/core builds, against the protocol's list of codes. */
const place = join(import.meta.dir, "../recorded/api/errors.json");

type Builder = Exclude<keyof typeof errors, "ApiError" | "isRefusal">;

const built: Record<Builder, refusals.ApiError> = {
  badRequest: errors.badRequest("x"),
  refusedFor: errors.refusedFor("name-empty", "x"),
  channelLooksTaken: errors.channelLooksTaken("x"),
  accessDenied: errors.accessDenied("x"),
  noSuchObject: errors.noSuchObject("x"),
  notFound: errors.notFound("x"),
  organizationNotFound: errors.organizationNotFound("nowhere.example.com"),
  missingParameter: errors.missingParameter("x"),
  invalidParameter: errors.invalidParameter("x", 1, "no"),
  confusingParameters: errors.confusingParameters("x", "y"),
  incompatibleParameters: errors.incompatibleParameters(["x", "y"], "Send x."),
  badNarrow: errors.badNarrow("x"),
  badEventQueueId: errors.badEventQueueId("x"),
  unauthorized: errors.unauthorized(),
  wrongApiKey: errors.wrongApiKey(),
  invalidApiKey: errors.invalidApiKey(),
  anomalousPayload: errors.anomalousPayload("GitHub"),
  unsupportedEventType: errors.unsupportedEventType("GitHub", "x"),
  csrfFailed: errors.csrfFailed("x", "token"),
  userDeactivated: errors.userDeactivated(),
  realmDeactivated: errors.realmDeactivated(),
  unknownTokenHolder: errors.unknownTokenHolder(),
  invalidCredentials: errors.invalidCredentials(),
  administratorRequired: errors.administratorRequired(),
  ownerRequired: errors.ownerRequired(),
  channelIdUnknown: errors.channelIdUnknown(1),
  channelNameUnknown: errors.channelNameUnknown("x"),
  channelExists: errors.channelExists("x"),
  invalidMessage: errors.invalidMessage(),
  moveTimeLimitExceeded: errors.moveTimeLimitExceeded([1], 2),
  invitationFailed: errors.invitationFailed("x", {}),
  lastOwner: errors.lastOwner(),
  lastUser: errors.lastUser(),
  rateLimitHit: errors.rateLimitHit(1),
  serverBusy: errors.serverBusy(),
  tooLong: errors.tooLong("message_ids", 8_388_608, 12),
  tooLarge: errors.tooLarge(1),
  expectationMismatch: errors.expectationMismatch("x"),
  contentChanged: errors.contentChanged(),
  systemGroupRequired: errors.systemGroupRequired("x", "y"),
  groupInUse: errors.groupInUse("x", []),
  pushNotConfigured: errors.pushNotConfigured(),
  noActivePushDevice: errors.noActivePushDevice(),
  relayRefused: errors.relayRefused(),
  relayUnreachable: errors.relayUnreachable(),
  relayFailed: errors.relayFailed(),
  unknownPushToken: errors.unknownPushToken(),
  databaseUnavailable: errors.databaseUnavailable("away"),
  outcomeUnknown: errors.outcomeUnknown(),
  personalUploadQuotaReached: errors.personalUploadQuotaReached(1),
  uploadQuotaReached: errors.uploadQuotaReached(),
  insufficientStorage: errors.insufficientStorage(),
  storageDamaged: errors.storageDamaged(),
};

interface Listed {
  code: string;
  http: number | null;
  variants: { fields?: Record<string, string> }[];
}

/** Codes of ours for what the protocol refuses without one, or does not speak of. */
const own = [
  "REQUEST_TOO_LARGE",
  "DATABASE_UNAVAILABLE",
  "INSUFFICIENT_STORAGE",
  "SERVER_BUSY",
  "STORAGE_DAMAGED",
];

describe("Each refusal", () => {
  const listed: Listed[] = JSON.parse(readFileSync(place, "utf8")).errors;

  test.each(Object.entries(built))(
    "%s has a code of the protocol with its status and its fields",
    (_, error) => {
      if (own.includes(error.code)) return;
      const known = listed.filter(({ code, http }) => code === error.code && http === error.status);
      expect(known.length).toBeGreaterThan(0);
      const given = Object.keys(error.data).sort();
      const possible = known.flatMap(({ variants }) =>
        variants.map(({ fields = {} }) => Object.keys(fields).sort()),
      );
      expect(possible.length === 0 ? [given] : possible).toContainEqual(given);
    },
  );

  test("of an ended queue begins as zulip-term expects, which does not look at codes", () => {
    expect(errors.badEventQueueId("x").message).toStartWith("Bad event queue id: x");
  });
});
