import { createBotIn } from "../../../../src/bots/service";
import type { Context, Tx, UserRow } from "../../../../src/core/context";
import { operatorContext } from "../../../../src/core/operator";
import type { Role } from "../../../../src/core/rights/role";
import { roles } from "../../../../src/core/rights/role";
import { write } from "../../../../src/core/write";
import { createUserIn } from "../../../../src/management/accounts/create";
import {
  type ChannelToCreate,
  createChannel,
  prepareChannel,
} from "../../../../src/management/channels/create";
import { createGroupIn } from "../../../../src/management/groups/create";
import { subscribeUsers } from "../../../../src/management/subscriptions/subscribe";
import { type BotKind, botKinds } from "../../../../src/people/bots/kinds";
import { findRealmByHost } from "../../../../src/realm/queries";
import { issueApiKeyIn } from "../../../../src/sign-in/api-keys";
import { Person, type World } from "../../world";

let made = 0;

/** A name that nobody has yet. */
export const newName = (kind: string) => `${kind}-${++made}`;

/** Makes somebody with a role and a key of their own. */
export const newPerson = (world: World, role: Role = roles.member) =>
  personIn(world, world.operator, role);

/** Makes a bot of Alice's, with a key of its own. */
export const newBot = (
  { site, operator, alice }: World,
  kind: BotKind = botKinds.generic,
): Promise<Person> =>
  write(operator, async (tx) => {
    const name = newName("robot");
    const details = kind === botKinds.embedded ? { serviceName: "faq" } : {};
    const bot = {
      email: `${name}-bot@example.com`,
      fullName: name,
      ownerId: alice.id,
      kind,
      details,
    };
    return withKey(tx, site, operator, await createBotIn(tx, operator, bot));
  });

/** Makes a member of the other organization. */
export async function newOutsider(world: World): Promise<Person> {
  const realm = await findRealmByHost(world.app.engine.reader, world.zoe.host);
  if (!realm) throw new Error("the other organization is gone");
  return personIn(world, operatorContext(world.app, realm), roles.member);
}

const personIn = ({ site }: World, operator: Context, role: Role): Promise<Person> =>
  write(operator, async (tx) => {
    const name = newName("person");
    const account = { email: `${name}@example.com`, fullName: name, role, passwordHash: null };
    return withKey(tx, site, operator, await createUserIn(tx, operator, account));
  });

async function withKey(tx: Tx, site: string, operator: Context, user: UserRow): Promise<Person> {
  const { apiKey } = await issueApiKeyIn(tx, operator, user.id, "test");
  return new Person(site, operator.realm.host, user.id, user.email, user.fullName, apiKey);
}

/** Makes a channel, public unless `options` say otherwise, with Olga and some people in it. */
export const newChannel = (
  { operator, olga }: World,
  members: Person[] = [],
  options: Partial<ChannelToCreate> = {},
) =>
  write(operator, async (tx) => {
    const prepared = prepareChannel({ name: newName("channel"), description: "", ...options });
    const channel = await createChannel(tx, operator, prepared);
    const ids = [olga, ...members].map(({ id }) => id);
    await subscribeUsers(tx, operator, [channel], ids);
    return { id: channel.id, name: channel.name };
  });

/** Makes a user group with Olga in it. */
export const newGroup = ({ operator, olga }: World) =>
  write(operator, async (tx) => {
    const wanted = { name: newName("group"), description: "made for a test" };
    const group = { ...wanted, memberIds: [olga.id], subgroupIds: [] };
    const { id, name } = await createGroupIn(tx, operator, group);
    return { id, name };
  });

/** A message of Alice's in the channel that everybody but guests is in. */
export const newMessage = ({ alice }: World, topic = newName("topic")) =>
  alice.say("general", topic, "soup?");

/** A form with a small file in it. */
export function newForm(name = "soup.txt"): FormData {
  const form = new FormData();
  form.append("file", new Blob(["leek and potato"], { type: "text/plain" }), name);
  return form;
}

/** Uploads a file and answers its address: `/user_uploads/2/…/soup.txt`. */
export async function newFile(person: Person, form = newForm()): Promise<string> {
  const { status, body } = await person.ask("POST", "/user_uploads", {}, { body: form });
  if (status !== 200) throw new Error(`the file was refused: ${JSON.stringify(body)}`);
  return body.url;
}
