import type { RunningApp } from "../../src/app";
import { createBotIn } from "../../src/bots/service";
import type { Tx, UserRow } from "../../src/core/context";
import { operatorContext } from "../../src/core/operator";
import { type Role, roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { createUserIn } from "../../src/management/accounts/create";
import { createChannel, prepareChannel } from "../../src/management/channels/create";
import { createRealm } from "../../src/management/organization/create";
import { subscribeUsers } from "../../src/management/subscriptions/subscribe";
import { setUserSettingsDefaults } from "../../src/people/settings/defaults";
import { loadRealm } from "../../src/realm/queries";
import { issueApiKeyIn } from "../../src/sign-in/api-keys";

export const worldHost = "chat.example.com";
export const otherHost = "other.example.com";

/**
 * The people of the first realm, by role; everybody but otto and greta is in the channel `general`.
 */
const cast = {
  olga: roles.owner,
  adam: roles.administrator,
  mona: roles.moderator,
  alice: roles.member,
  bob: roles.member,
  carol: roles.member,
  otto: roles.member,
  greta: roles.guest,
} satisfies Record<string, Role>;

export type CastName = keyof typeof cast | "robot";

/** A person of the world, with a key to sign requests. */
export interface Account {
  id: number;
  email: string;
  fullName: string;
  apiKey: string;
}

/** People and objects of a world from the start. */
export interface Cast {
  people: Record<CastName, Account>;
  /** The owner of the other realm. */
  zoe: Account;
  /** Channel ids by name. */
  channels: Record<"general" | "secret" | "plans", number>;
}

/**
 * Former default settings of organizations, which the tests and the recordings of the reference
 * server expect.
 */
const settings = {
  default_avatar_source: "G",
  gif_rating_policy: 2,
  send_channel_events_messages: true,
};

/** An organization whose people start with e-mail addresses that everybody may read. */
async function makeRealm(app: RunningApp, name: string, host: string): Promise<Operator> {
  const realm = await createRealm(app, { name, host, settings }, app.clock.now());
  await setUserSettingsDefaults(operatorContext(app, realm), { email_address_visibility: 1 });
  return operatorContext(app, await loadRealm(app.engine.reader, realm.id));
}

/** Makes two organizations with all of their people. */
export async function assembleCast(app: RunningApp): Promise<Cast> {
  const operator = await makeRealm(app, "Acme", worldHost);
  const otherOperator = await makeRealm(app, "Other", otherHost);
  const acme = await write(operator, (tx) => populate(tx, operator));
  const zoe = await write(otherOperator, async (tx) =>
    signedUp(tx, otherOperator, await createUserIn(tx, otherOperator, account("zoe", roles.owner))),
  );
  return { ...acme, zoe };
}

const account = (name: string, role: Role) => ({
  email: `${name}@example.com`,
  fullName: name.charAt(0).toUpperCase() + name.slice(1),
  role,
  passwordHash: null,
});

type Operator = ReturnType<typeof operatorContext>;

async function signedUp(
  tx: Tx,
  operator: Operator,
  { id, email, fullName }: UserRow,
): Promise<Account> {
  const { apiKey } = await issueApiKeyIn(tx, operator, id, "test");
  return { id, email, fullName, apiKey };
}

async function populate(tx: Tx, operator: Operator) {
  const people = {} as Record<CastName, Account>;
  for (const [name, role] of Object.entries(cast)) {
    people[name as CastName] = await signedUp(
      tx,
      operator,
      await createUserIn(tx, operator, account(name, role)),
    );
  }
  const robot = { email: "robot-bot@example.com", fullName: "Robot", ownerId: people.alice.id };
  people.robot = await signedUp(tx, operator, await createBotIn(tx, operator, robot));
  const { olga, adam, mona, alice, bob, carol } = people;
  const make = async (name: string, options: object, members: Account[]) => {
    const channel = await createChannel(
      tx,
      operator,
      prepareChannel({ name, description: "", ...options }),
    );
    await subscribeUsers(
      tx,
      operator,
      [channel],
      members.map(({ id }) => id),
    );
    return channel.id;
  };
  const channels = {
    general: await make("general", {}, [olga, adam, mona, alice, bob, carol]),
    secret: await make("secret", { inviteOnly: true, historyPublicToSubscribers: false }, [
      alice,
      bob,
    ]),
    plans: await make("plans", { inviteOnly: true, historyPublicToSubscribers: true }, [alice]),
  };
  return { people, channels };
}
