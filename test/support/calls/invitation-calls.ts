import { write } from "../../../src/core/write";
import { beginProof } from "../../../src/sign-in/address-proofs";
import type { Person, World } from "../world";
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

async function newLink({ olga }: World): Promise<{ id: number; path: string }> {
  const { body } = await olga.post("/invites/multiuse", {});
  const { body: listed } = await olga.get("/invites");
  const made = listed.invites.find(
    (one: { link_url?: string }) => one.link_url === body.invite_link,
  );
  return { id: made.id, path: new URL(made.link_url).pathname };
}

const tokenOf = (path: string) => path.split("/").at(-1) ?? "";

/** A reusable link, and the proof of an address. */
async function provenPath(world: World) {
  const { operator } = world;
  const wanted = { userId: null, email: `${newName("joiner")}@example.com`, lifeSeconds: 600 };
  const begun = await write(operator, (tx) => beginProof(tx, operator, "joining", wanted));
  return { token: tokenOf((await newLink(world)).path), proof: begun?.token ?? "" };
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
    prepare: async (world: World) => ({ path: { invite_id: (await newLink(world)).id } }),
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
    prepare: async (world: World, _caller: Person) => ({
      path: { token: tokenOf((await newLink(world)).path) },
    }),
  },
  "POST the page /join/{token}": {
    outcomes: here,
    prepare: async (world: World) => ({
      path: { token: tokenOf((await newLink(world)).path) },
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
