import { write } from "../../../../src/core/write";
import { beginProof } from "../../../../src/sign-in/address-proofs";
import type { World } from "../../world";
import { administrators, type Calls, members, open } from "./call";
import { newName } from "./things";

const bad = "400 BAD_REQUEST";
/** For others than its maker and administrators, an invitation does not exist. */
const managers = { ...administrators, others: bad };

/** Invites somebody in the organization of the cast; answers the invitation's id. */
async function newInvitation({ olga }: World): Promise<number> {
  const email = `${newName("guest")}@example.com`;
  await olga.post("/invites", { invitee_emails: email, stream_ids: [] });
  const { body } = await olga.get("/invites");
  return body.invites.find((one: { email?: string }) => one.email === email).id;
}

async function newLink({ olga }: World): Promise<{ url: string; token: string }> {
  const { body } = await olga.post("/invites/multiuse", {});
  const url: string = body.invite_link;
  return { url, token: url.split("/").at(-1) ?? "" };
}

async function newLinkId(world: World): Promise<number> {
  const { url } = await newLink(world);
  const { body } = await world.olga.get("/invites");
  return body.invites.find(({ link_url }: { link_url?: string }) => link_url === url).id;
}

/** A reusable link, and the proof of an address. */
async function provenPath(world: World) {
  const { operator } = world;
  const wanted = { userId: null, email: `${newName("joiner")}@example.com`, lifeSeconds: 600 };
  const begun = await write(operator, (tx) => beginProof(tx, operator, "joining", wanted));
  return { token: (await newLink(world)).token, proof: begun?.token ?? "" };
}

/** Form of a person who joins by a link. */
function joining(): FormData {
  const form = new FormData();
  const name = newName("joiner");
  form.append("email", `${name}@example.com`);
  form.append("full_name", name);
  form.append("password", "correct-horse-battery");
  return form;
}

/**
 * Pages are opened at the caller's own organization, where the link of another one does not work.
 */
const here = { others: open.others, outsider: "404" };

/** Ways to join an organization. */
export const invitationCalls: Calls = {
  "GET /invites": { outcomes: members, prepare: () => ({}) },
  "POST /invites": {
    outcomes: members,
    prepare: () => ({
      parameters: { invitee_emails: `${newName("guest")}@example.com`, stream_ids: [] },
    }),
  },
  "POST /invites/multiuse": {
    by: "olga",
    outcomes: { ...managers, outsider: bad },
    prepare: () => ({ parameters: { invite_as: 600 } }),
  },
  "DELETE /invites/{invite_id}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world: World) => ({ path: { invite_id: await newInvitation(world) } }),
  },
  "DELETE /invites/multiuse/{invite_id}": {
    by: "olga",
    outcomes: managers,
    prepare: async (world: World) => ({ path: { invite_id: await newLinkId(world) } }),
  },
  "POST /invites/{invite_id}/resend": {
    by: "olga",
    outcomes: managers,
    prepare: async (world: World) => ({ path: { invite_id: await newInvitation(world) } }),
  },
  "POST /realm/test_welcome_bot_custom_message": {
    by: "olga",
    outcomes: administrators,
    prepare: () => ({ parameters: { welcome_message_custom_text: "Soup is at noon." } }),
  },
  "GET the page /join/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({
      path: { token: (await newLink(world)).token },
    }),
  },
  "POST the page /join/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({
      path: { token: (await newLink(world)).token },
      form: joining(),
    }),
  },
  "GET the page /join/{token}/{proof}": {
    outcomes: here,
    prepare: async (world: World) => ({ path: await provenPath(world) }),
  },
  "POST the page /join/{token}/{proof}": {
    outcomes: here,
    prepare: async (world: World) => ({ path: await provenPath(world), form: joining() }),
  },
};
