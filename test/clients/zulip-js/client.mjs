/**
 * Drives chatd with the unmodified package `zulip-js` as Alice and Olga: client.mjs FOLDER ZULIPRC SITE, where FOLDER is the
 * one that it is installed in. Alice signs in with a zuliprc file, Olga with her password. Prints one JSON object: by name,
 * what each call was answered.
 */
import { createRequire } from "node:module";

const patienceMilliseconds = 15_000;
const password = "correct-horse-battery";

const [, , folder = "", zuliprc = "", site = ""] = process.argv;
const load = createRequire(`${folder}/package.json`);
const zulip = load("zulip-js");

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks again until the answer is as wanted, or patience ends. */
async function ask(call, isWanted) {
  const endsAt = performance.now() + patienceMilliseconds;
  for (;;) {
    const answer = await call();
    if (isWanted(answer) || performance.now() > endsAt) return answer;
    await pause(100);
  }
}

/** Passwords are hashed while the server is up already, so the first attempt may come too early. */
const signIn = () =>
  ask(
    () => zulip({ realm: site, username: "olga@example.com", password }),
    ({ config }) => config.apiKey !== undefined,
  );

async function readOrganization(alice, answers) {
  answers.settings = await alice.server.settings();
  answers.profile = await alice.users.me.getProfile();
  answers.users = await alice.users.retrieve({ client_gravatar: false });
  answers.streams = await alice.streams.retrieve();
  answers.streamId = await alice.streams.getStreamId("general");
  answers.subscriptions = await alice.streams.subscriptions.retrieve();
}

/** POST is multipart; DELETE and PATCH have their parameters in the query. */
async function changeSubscriptions(alice, answers) {
  const tea = { name: "tea & cake", description: "Half past four" };
  answers.subscribe = await alice.users.me.subscriptions.add({ subscriptions: [tea] });
  answers.unsubscribe = await alice.users.me.subscriptions.remove({
    subscriptions: JSON.stringify([tea.name]),
  });
  const changes = { add: JSON.stringify([{ name: "Küche" }]), delete: JSON.stringify(["random"]) };
  answers.changeSubscriptions = await alice.callEndpoint(
    "/users/me/subscriptions",
    "PATCH",
    changes,
  );
  answers.subscriptionsAfter = await alice.streams.subscriptions.retrieve();
}

async function send(alice, olgaId, answers) {
  const inChannel = { type: "stream", to: "general", topic: "lunch", content: "**Soup** today" };
  answers.sendToChannel = await alice.messages.send(inChannel);
  answers.sendToPerson = await alice.messages.send({
    type: "direct",
    to: [olgaId],
    content: "Soup?",
  });
  answers.sendToEmail = await alice.messages.send({
    type: "private",
    to: "olga@example.com",
    content: "With bread?",
  });
  answers.sendToNobody = await alice.messages.send({
    type: "private",
    to: "nobody@example.com",
    content: "?",
  });
}

async function mark(olga, messageId, answers) {
  answers.addFlag = await olga.messages.flags.add({ messages: [messageId], flag: "starred" });
  answers.starred = await olga.messages.retrieve({
    ...newest,
    narrow: [{ operator: "is", operand: "starred" }],
  });
  answers.removeFlag = await olga.messages.flags.remove({ messages: [messageId], flag: "starred" });
  const heart = {
    message_id: messageId,
    emoji_name: "heart",
    emoji_code: "2764",
    reaction_type: "unicode_emoji",
  };
  answers.addReaction = await olga.reactions.add(heart);
  answers.withReaction = await olga.messages.getById({ message_id: messageId });
  answers.removeReaction = await olga.reactions.remove(heart);
}

const newest = { anchor: "newest", num_before: 100, num_after: 0 };

async function read(olga, answers) {
  const inTopic = [
    { operator: "stream", operand: "general" },
    { operator: "topic", operand: "lunch" },
  ];
  answers.messages = await olga.messages.retrieve({
    ...newest,
    narrow: inTopic,
    apply_markdown: false,
  });
  const withAlice = [{ operator: "pm-with", operand: "alice@example.com" }];
  answers.directMessages = await olga.messages.retrieve({ ...newest, narrow: withAlice });
  answers.topics = await olga.streams.topics.retrieve({ stream_id: answers.streamId.stream_id });
}

async function poll(alice, olga, answers) {
  const queue = await alice.queues.register({ event_types: ["message"] });
  answers.register = queue;
  await olga.messages.send({ type: "channel", to: "general", topic: "tea", content: "polled" });
  const position = {
    queue_id: queue.queue_id,
    last_event_id: queue.last_event_id,
    dont_block: false,
  };
  answers.events = await alice.events.retrieve(position);
  answers.deregister = await alice.queues.deregister({ queue_id: queue.queue_id });
  answers.eventsAfter = await alice.events.retrieve(position);
}

/** Alice listens while Olga acts. Olga knocks until she is heard: nobody can see when Alice has registered. */
async function listen(alice, olga, aliceId, answers) {
  const heard = [];
  void alice.callOnEachEvent((event) => heard.push(event), ["message", "typing"]);
  const knock = () => olga.messages.send({ type: "direct", to: [aliceId], content: "knock" });
  await ask(knock, () => heard.length > 0);
  answers.typing = await olga.typing.send({ to: [aliceId], op: "start" });
  await ask(pause, () => heard.some(({ type }) => type === "typing"));
  answers.heard = heard;
}

async function main() {
  const answers = { version: load("zulip-js/package.json").version };
  const [alice, olga] = [await zulip({ zuliprc }), await signIn()];
  await readOrganization(alice, answers);
  const olgaId = answers.users.members.find(({ email }) => email === "olga@example.com").user_id;
  await changeSubscriptions(alice, answers);
  await send(alice, olgaId, answers);
  await mark(olga, answers.sendToChannel.id, answers);
  await read(olga, answers);
  await poll(alice, olga, answers);
  await listen(alice, olga, answers.profile.user_id, answers);
  console.log(JSON.stringify(answers));
}

await main();
/** callOnEachEvent never ends. */
process.exit(0);
