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
import { failOnMismatches } from "./api-check";
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
    apiKey?: string,
  ) {
    super(site, host, apiKey === undefined ? undefined : { email, apiKey });
  }

  /** The same person as a client of another server on the same data. */
  at({ site }: { site: string }): Person {
    const { id, email, fullName, host, credentials } = this;
    return new Person(site, host, id, email, fullName, credentials?.apiKey);
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

/** A server on the world's data, which may have several. */
export interface Node {
  app: RunningApp;
  site: string;
  /** Ends the server as SIGTERM does: held polls are answered, queued writes finished. */
  close(): Promise<void>;
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
  /** The address of the data, for those who look into it themselves. */
  place: Awaited<ReturnType<typeof freshPlace>>;
  /** Starts another server on the same data. */
  startNode(): Promise<Node>;
  /** Ends the server and starts it again on the same data and port: `app` and `operator` are others then. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const worldHost = "chat.example.com";

interface Surroundings {
  place: World["place"];
  clock: FakeClock;
  logged: string[];
  flags: Record<string, string>;
}

/** People in tests do in a moment what takes others an hour. */
const unlimited = {
  requests_per_minute_per_user: "0",
  requests_per_minute_per_key: "0",
  requests_per_minute_per_address: "0",
};

async function openNode({ place, clock, logged, flags }: Surroundings, port = "0"): Promise<Node> {
  const config = loadConfig(
    { host: "127.0.0.1", port, data: place.dataFolder, database: place.databaseUrl, ...unlimited, ...flags },
    undefined,
    {},
  );
  const log = makeLog(clock, "debug", (line) => {
    logged.push(line);
    if (line.includes('"level":"error"') && !line.includes("on purpose")) console.error(line);
  });
  const app = await openApp(config, {
    log,
    clock,
    exit: (code) => {
      throw new Error(`the server ended with ${code}`);
    },
  });
  const http = await serve(app);
  const endBackground = app.startBackground();
  return {
    app,
    site: `http://127.0.0.1:${http.port}`,
    async close() {
      endBackground();
      app.events.close();
      await http.stop();
      await app.close();
    },
  };
}

/** Config values by name, as on the command line: `{ heartbeat_seconds: "20" }`. */
export async function makeWorld(flags: Record<string, string> = {}): Promise<World> {
  const place = await freshPlace({ migrated: true });
  const surroundings: Surroundings = { place, clock: makeFakeClock(), logged: [], flags };
  const { clock, logged } = surroundings;
  let node = await openNode(surroundings);
  const { app, site } = node;
  const nodes: Node[] = [];
  const realm = await createRealm(app, { name: "Acme", host: worldHost }, clock.now());
  const other = await createRealm(app, { name: "Other", host: "other.example.com" }, clock.now());
  const operator = operatorContext(app, realm);
  const { people, channels } = await write(operator, (tx) => populate(tx, site, operator));
  const otherOperator = operatorContext(app, other);
  const zoe = await write(otherOperator, async (tx) => {
    const user = await createUserIn(tx, otherOperator, account("zoe", roles.owner));
    return asPerson(tx, site, otherOperator, user);
  });
  const world: World = {
    ...people,
    ...{ app, clock, realm, site, zoe, logged, channels, operator, place },
    anonymous: new Client(site, worldHost),
    async startNode() {
      const another = await openNode(surroundings);
      nodes.push(another);
      return another;
    },
    async restart() {
      await node.close();
      node = await openNode(surroundings, new URL(site).port);
      world.app = node.app;
      world.operator = operatorContext(node.app, realm);
    },
    async close() {
      for (const one of [...nodes, node]) await one.close();
      await place.remove();
      failOnMismatches();
    },
  };
  return world;
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
    secret: await make("secret", { inviteOnly: true, historyPublicToSubscribers: false }, [alice, bob]),
    plans: await make("plans", { inviteOnly: true, historyPublicToSubscribers: true }, [alice]),
  };
  return { people, channels };
}
