import { afterEach, beforeEach, expect, test } from "bun:test";
import { arrived } from "../../src/web/model/message";
import { isNotable } from "../../src/web/model/notable";
import { modelFrom } from "../../src/web/model/snapshot";
import { clientCapabilities, type Event, fetchEventTypes } from "../../src/web/model/wire";
import { PushRelay, registeredDevice } from "../support/servers/push-relay";
import { makeWorld, type World } from "../support/world";

let relay: PushRelay;
let world: World;
beforeEach(async () => {
  relay = new PushRelay();
  world = await makeWorld(relay.flags);
});
afterEach(async () => {
  await world.close();
  await relay.stop();
});

const settings = [
  "enable_offline_push_notifications",
  "enable_stream_push_notifications",
  "enable_followed_topic_push_notifications",
  "enable_followed_topic_wildcard_mentions_notify",
  "wildcard_mentions_notify",
];
const ofChannel = ["push_notifications", "wildcard_mentions_notify", "is_muted"];
const texts = ["soup", "@**Alice** soup", "@*cooks* soup", "@**all** soup", "@**topic** soup"];
/** Topics by what Alice wants of them. */
const policies = { inherited: 0, muted: 1, unmuted: 2, followed: 3 };
/** Topics are followed by nothing but the choice of Alice. */
const byHandAlone = {
  automatically_follow_topics_policy: 4,
  automatically_follow_topics_where_mentioned: false,
  automatically_unmute_topics_in_muted_streams_policy: 4,
};
const rounds = 8;

/** Coins that fall alike in each run. */
function coins(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state > 0x7fffffff;
  };
}

async function done(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  expect([status, body]).toEqual([200, expect.anything()]);
}

/** Makes topics that Alice has taken part in, and what she wants of them. */
async function prepare({ alice, olga, carol, channels }: World): Promise<void> {
  await done(alice.patch("/settings", byHandAlone));
  const cooks = { name: "cooks", description: "", members: [alice.id] };
  await done(olga.post("/user_groups/create", cooks));
  await done(alice.post(`/users/me/muted_users/${carol.id}`, {}));
  for (const [topic, visibility_policy] of Object.entries(policies))
    for (const stream_id of [channels.general, channels.secret]) {
      await done(
        alice.post("/messages", { type: "stream", to: stream_id, topic, content: "mine" }),
      );
      await done(alice.post("/user_topics", { stream_id, topic, visibility_policy }));
    }
}

/** Chooses settings for Alice; of the channel `general` she keeps what is set for all. */
async function choose({ alice, channels }: World, isOn: () => boolean): Promise<void> {
  const values = Object.fromEntries(settings.map((name) => [name, isOn()]));
  await done(alice.patch("/settings", values));
  const subscription_data = ofChannel.map((property) => ({
    stream_id: channels.secret,
    property,
    value: isOn(),
  }));
  await done(alice.post("/users/me/subscriptions/properties", { subscription_data }));
}

async function talk({ alice, bob, carol, olga }: World): Promise<void> {
  for (const channel of ["general", "secret"])
    for (const topic of Object.keys(policies))
      for (const text of texts) await bob.say(channel, topic, text);
  await bob.tell([alice], "soup");
  await bob.tell([alice, olga], "soup");
  await carol.tell([alice], "soup");
  await carol.say("general", "inherited", "@**Alice** soup");
  await alice.say("general", "followed", "@**Alice** mine");
}

test("the page's rule for notifications is the server's rule for devices, whatever is set", async () => {
  const { alice } = world;
  const phone = await registeredDevice(world.pass, alice, relay);
  await prepare(world);
  await world.pass(0);
  phone.told();
  const counts: [told: number, all: number][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await choose(world, coins(round));
    const queue = await alice.register({
      fetch_event_types: fetchEventTypes,
      client_capabilities: clientCapabilities,
      include_subscribers: false,
      slim_presence: true,
    });
    await talk(world);
    await world.pass(0);
    const events: Event[] = await queue.events();
    const messages = events.flatMap((event) => (event.type === "message" ? [arrived(event)] : []));
    const model = modelFrom(queue.state);
    const wanted = messages.filter((message) => isNotable(message, model, "push"));
    const pushed = new Set(phone.told().map(({ message_id }) => message_id));
    const shortly = ({ content, subject, display_recipient, flags }: (typeof messages)[number]) =>
      [content, subject, typeof display_recipient === "string" && display_recipient, flags].join();
    expect(wanted.map(shortly)).toEqual(messages.filter(({ id }) => pushed.has(id)).map(shortly));
    counts.push([wanted.length, messages.length]);
  }
  // Neither of the two answers everything alike.
  expect(counts.some(([told, all]) => told > 0 && told < all)).toBe(true);
});
