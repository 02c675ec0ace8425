import { openApp, type RunningApp } from "../../src/app";
import { issueApiKeyIn } from "../../src/auth/api-keys";
import { createBotIn } from "../../src/bots/service";
import { createChannel, prepareChannel } from "../../src/channels/create";
import { loadConfig } from "../../src/config";
import type { RealmRow, Tx, UserRow } from "../../src/core/context";
import { makeLog } from "../../src/core/log";
import { operatorContext } from "../../src/core/operator";
import type { Role } from "../../src/core/role";
import { roles } from "../../src/core/role";
import { write } from "../../src/core/write";
import { createRealm } from "../../src/realm/service";
import { serve } from "../../src/server";
import { subscribeUsers } from "../../src/subscriptions/subscribe";
import { createUserIn } from "../../src/users/create";
import { Client } from "./client";
import { type FakeClock, makeFakeClock } from "./fake-clock";
import { freshPlace } from "./storage";

/** The people of the first realm, by role; everybody but otto and greta is in the channel `general`. */
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

type Name = keyof typeof cast | "robot";

export class Person extends Client {
  constructor(
    site: string,
    host: string,
    readonly id: number,
    readonly email: string,
    readonly fullName: string,
    apiKey: string,
  ) {
    super(site, host, { email, apiKey });
  }

  /** Sends to a channel's topic and answers the message's id. */
  async say(channel: string, topic: string, content: string): Promise<number> {
    const { status, body } = await this.post("/messages", { type: "channel", to: channel, topic, content });
    if (status !== 200) throw new Error(`the message was refused: ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Sends to people and answers the message's id. */
  async tell(people: Person[], content: string): Promise<number> {
    const to = people.map(({ id }) => id);
    const { status, body } = await this.post("/messages", { type: "direct", to, content });
    if (status !== 200) throw new Error(`the message was refused: ${JSON.stringify(body)}`);
    return body.id;
  }
}

/** A server with two organizations, running in this process on a fresh database, its clock in the test's hands. */
export interface World extends Record<Name, Person> {
  app: RunningApp;
  clock: FakeClock;
  realm: RealmRow;
  site: string;
  /** The owner of the other realm, `other.example.com`. */
  zoe: Person;
  anonymous: Client;
  /** Lines that the server has logged. */
  logged: string[];
  /** Channel ids by name: general (all but otto and greta), secret (private, no shared history: alice, bob), plans (private: alice). */
  channels: Record<"general" | "secret" | "plans", number>;
  operator: ReturnType<typeof operatorContext>;
  close(): Promise<void>;
}

export const worldHost = "chat.example.com";

/** Config values by name, as on the command line: `{ heartbeat_seconds: "20" }`. */
export async function makeWorld(flags: Record<string, string> = {}): Promise<World> {
  const place = await freshPlace();
  const clock = makeFakeClock();
  const logged: string[] = [];
  const config = loadConfig(
    { host: "127.0.0.1", port: "0", data: place.dataFolder, database: place.databaseUrl, ...flags },
    undefined,
    {},
  );
  const log = makeLog(clock, "debug", (line) => {
    logged.push(line);
    if (line.includes('"level":"error"')) console.error(line);
  });
  const app = await openApp(config, {
    log,
    clock,
    exit: (code) => {
      throw new Error(`the server ended with ${code}`);
    },
  });
  const http = await serve(app);
  const site = `http://127.0.0.1:${http.port}`;
  const realm = await createRealm(app, { name: "Acme", host: worldHost }, clock.now());
  const other = await createRealm(app, { name: "Other", host: "other.example.com" }, clock.now());
  const operator = operatorContext(app, realm);
  const { people, channels } = await write(operator, (tx) => populate(tx, site, operator));
  const otherOperator = operatorContext(app, other);
  const zoe = await write(otherOperator, async (tx) => {
    const user = await createUserIn(tx, otherOperator, account("zoe", roles.owner));
    return asPerson(tx, site, otherOperator, user);
  });
  return {
    ...people,
    ...{ app, clock, realm, site, zoe, logged, channels, operator },
    anonymous: new Client(site, worldHost),
    async close() {
      app.events.close();
      await http.stop();
      await app.close();
      await place.remove();
    },
  };
}

const account = (name: string, role: Role) => ({
  email: `${name}@example.com`,
  fullName: name.charAt(0).toUpperCase() + name.slice(1),
  role,
  passwordHash: null,
});

type Operator = ReturnType<typeof operatorContext>;

async function asPerson(tx: Tx, site: string, operator: Operator, user: UserRow): Promise<Person> {
  const { apiKey } = await issueApiKeyIn(tx, operator, user.id, "test");
  return new Person(site, operator.realm.host, user.id, user.email, user.fullName, apiKey);
}

async function populate(tx: Tx, site: string, operator: Operator) {
  const people = {} as Record<Name, Person>;
  for (const [name, role] of Object.entries(cast)) {
    people[name as Name] = await asPerson(tx, site, operator, await createUserIn(tx, operator, account(name, role)));
  }
  const robot = { email: "robot-bot@example.com", fullName: "Robot", ownerId: people.alice.id };
  people.robot = await asPerson(tx, site, operator, await createBotIn(tx, operator, robot));
  const { olga, adam, mona, alice, bob, carol } = people;
  const make = async (name: string, options: object, members: Person[]) => {
    const channel = await createChannel(tx, operator, prepareChannel({ name, description: "", ...options }));
    await subscribeUsers(tx, operator, [channel], members.map(({ id }) => id));
    return channel.id;
  };
  const channels = {
    general: await make("general", {}, [olga, adam, mona, alice, bob, carol]),
    secret: await make("secret", { inviteOnly: true, historyPublicToSubscribers: false }, [alice, bob]),
    plans: await make("plans", { inviteOnly: true, historyPublicToSubscribers: true }, [alice]),
  };
  return { people, channels };
}
