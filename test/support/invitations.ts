import { type Invited, invitePeople, makeReusableLink } from "../../src/joining/invitations/invite";
import { readOffer } from "../../src/joining/invitations/offer";
import { Client } from "./client";
import type { Person, World } from "./world";

export const goodPassword = "correct-horse-battery";

type Wanted = Parameters<typeof readOffer>[0] & {
  channels?: number[];
  from?: Person;
  tells?: boolean;
};

const wantedOf = ({ channels = [], from, tells = true, ...offer }: Wanted) => ({
  offer: readOffer(offer, channels),
  notifiesInviter: tells,
  inviterId: from?.id,
});

/**
 * Invites an address as the operator does, in somebody's name; answers the invitation with its
 * link.
 */
export async function inviteByLink(
  world: World,
  email: string,
  wanted: Wanted = {},
): Promise<Invited> {
  const [invited] = await invitePeople(world.operator, { ...wantedOf(wanted), addresses: email });
  if (!invited) throw new Error("nobody was invited");
  return invited;
}

/** Makes a reusable link as the operator does, in somebody's name. */
export const reusableLink = (world: World, wanted: Wanted = {}): Promise<Invited> =>
  makeReusableLink(world.operator, wantedOf(wanted));

/** Opens a link in a browser. */
export const openLink = (world: World, url: string, host = world.alice.host): Promise<Response> =>
  new Client(world.site, host).open(new URL(url).pathname);

/** Sends the form behind a link, which leads who has joined to the chat (303). */
export async function accept(
  world: World,
  url: string,
  form: Record<string, string>,
  at: { site?: string; host?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const client = new Client(at.site ?? world.site, at.host ?? world.alice.host);
  const body = new URLSearchParams({ password: goodPassword, ...form });
  const response = await client.open(new URL(url).pathname, {
    method: "POST",
    body,
    headers: at.headers ?? {},
    redirect: "manual",
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The account with an address, as an owner sees it. */
export async function accountOf({ olga }: World, email: string) {
  const { body } = await olga.get("/users");
  return body.members.find((one: { delivery_email?: string }) => one.delivery_email === email);
}

/** Signs somebody in who has just joined. */
export async function signIn({ site, alice }: World, email: string): Promise<Client> {
  const { body } = await new Client(site, alice.host).post("/fetch_api_key", {
    username: email,
    password: goodPassword,
  });
  return new Client(site, alice.host, { email, apiKey: body.api_key });
}

/** Direct messages of Notification Bot, oldest first. */
export async function toldDirectly(client: Client): Promise<string[]> {
  const { body } = await client.get("/messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: "is", operand: "dm" }],
  });
  return body.messages.map(({ content }: { content: string }) => content);
}
