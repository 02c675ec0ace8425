import { makeToken } from "../../../../src/core/secrets/secrets";
import { write } from "../../../../src/core/write";
import { unsubscribing } from "../../../../src/letters/unsubscribe-link";
import { updateRealmSettingsIn } from "../../../../src/management/organization/change-settings";
import { beginProof, type ProofKind } from "../../../../src/sign-in/address-proofs";
import { storeLinkIn } from "../../../../src/sign-in/login-links";
import type { Person, World } from "../../world";
import { type Calls, open } from "./call";
import { newName } from "./things";

/** Lets a world send mail, which nobody takes. */
export const mailFlags = { smtp_relay_host: "127.0.0.1", smtp_relay_port: "1" };

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

/** Links work at their own organization. */
const here = { others: "ok", outsider: "404" };
const asking = { outcomes: open, prepare: () => ({ form: form({ email: "carol@example.com" }) }) };

/** A link by which Carol chooses another password. */
async function resetToken({ operator, carol, realm, app, clock }: World): Promise<string> {
  const token = makeToken();
  const hash = app.secrets.hash("password-reset", token);
  const link = { realmId: realm.id, hash, userId: carol.id, expiresAt: clock.now() + 600 };
  await write(operator, (tx) => storeLinkIn(tx, link));
  return token;
}

const proofOf =
  (kind: ProofKind, email: string, userId?: (world: World) => number) => async (world: World) => {
    const { operator } = world;
    const wanted = { userId: userId?.(world) ?? null, email, lifeSeconds: 600 };
    const begun = await write(operator, async (tx) => {
      await updateRealmSettingsIn(tx, operator, { invite_required: false });
      await tx.db.delete(tx.t.addressProofs);
      return beginProof(tx, operator, kind, wanted);
    });
    return { token: begun?.token ?? "" };
  };

const addressPath = proofOf("address", "carroll@example.com", ({ carol }) => carol.id);
const joiningPath = (world: World) =>
  proofOf("registration", `${newName("joiner")}@example.com`)(world);

function unsubscribingPath({ operator, realm, alice }: World, _caller: Person) {
  const { url } = unsubscribing(operator, { id: alice.id, realmId: realm.id }, "digest", "en");
  return { path: { kind: "digest", user_id: alice.id, token: url.split("/").at(-1) ?? "" } };
}

/** Pages that the links in mails lead to, and requests for such mails, signed in or not. */
export const mailCalls: Calls = {
  "POST the page /login/mail": asking,
  "GET the page /password/reset": { outcomes: open, prepare: () => ({}) },
  "POST the page /password/reset": asking,
  "GET the page /password/reset/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({ path: { token: await resetToken(world) } }),
  },
  "POST the page /password/reset/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({
      path: { token: await resetToken(world) },
      form: form({ password: "correct-horse-battery" }),
    }),
  },
  "GET the page /account/address/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({ path: await addressPath(world) }),
  },
  "POST the page /account/address/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({ path: await addressPath(world) }),
  },
  "GET the page /register": {
    outcomes: here,
    prepare: async (world: World) => ({ path: await joiningPath(world) }),
  },
  "POST the page /register": {
    outcomes: here,
    prepare: async (world: World) => {
      await joiningPath(world);
      return { form: form({ email: `${newName("joiner")}@example.com` }) };
    },
  },
  "GET the page /register/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({ path: await joiningPath(world) }),
  },
  "POST the page /register/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({
      path: await joiningPath(world),
      form: form({ full_name: newName("joiner"), password: "correct-horse-battery" }),
    }),
  },
  "GET the page /unsubscribe/{kind}/{user_id}/{token}": {
    outcomes: here,
    prepare: unsubscribingPath,
  },
  "POST the page /unsubscribe/{kind}/{user_id}/{token}": {
    outcomes: here,
    prepare: unsubscribingPath,
  },
};
