import { type Attack, ask, mustAsk, type Scene, type Strike } from "./attack";
import type { Credential } from "./credentials";

/** Its HTML is as long as that of a text may get: 180 KB where nothing bounds it. */
const expandingText = "😀$$x^2$$".repeat(1_000).slice(0, 9_900);
const storedMessages = 150;
const channelsPerRequest = 25;
const channels = 200;
const sendersAtOnce = 4;

const everything = "anchor=newest&num_before=5000&num_after=0";

interface Stage {
  attacker: Credential;
  channel: string;
}

/**
 * A channel of the attacker and the owner alone: nobody else's reading shows what is sent there.
 */
async function openStage(scene: Scene, name: string): Promise<Stage> {
  const [attacker] = scene.others;
  if (!attacker) throw new Error("the attack needs somebody");
  const principals = JSON.stringify([attacker.email]);
  const subscriptions = JSON.stringify([{ name, description: "" }]);
  const form = { subscriptions, principals };
  await mustAsk(scene, "POST", "/api/v1/users/me/subscriptions", scene.owner.authorization, form);
  return { attacker, channel: name };
}

const messageForm = (channel: string, content: string) => ({
  type: "stream",
  to: channel,
  topic: "attack",
  content,
});

/** Sends a number of messages before the attack, as quickly as that goes. */
async function store(
  scene: Scene,
  { attacker, channel }: Stage,
  contents: readonly string[],
): Promise<void> {
  const waiting = [...contents];
  const sendRest = async () => {
    for (let content = waiting.pop(); content !== undefined; content = waiting.pop()) {
      await mustAsk(
        scene,
        "POST",
        "/api/v1/messages",
        attacker.authorization,
        messageForm(channel, content),
      );
    }
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, sendRest));
}

const readStrike =
  (scene: Scene, { attacker, channel }: Stage, search?: string): Strike =>
  () => {
    const terms = [["channel", channel], ...(search === undefined ? [] : [["search", search]])];
    const narrow = JSON.stringify(terms.map(([operator, operand]) => ({ operator, operand })));
    const path = `/api/v1/messages?${everything}&narrow=${encodeURIComponent(narrow)}`;
    return ask(scene, "GET", path, attacker.authorization);
  };

async function makeGuest(scene: Scene): Promise<void> {
  const [attacker] = scene.others;
  const { user_id: id } = await mustAsk(
    scene,
    "GET",
    "/api/v1/users/me",
    attacker?.authorization ?? "",
  );
  await mustAsk(scene, "PATCH", `/api/v1/users/${String(id)}`, scene.owner.authorization, {
    role: "600",
  });
}

/**
 * A guest fills a channel with messages that become long HTML, and reads, searches and polls them.
 */
export const longHtml: Attack = async (scene) => {
  const stage = await openStage(scene, "longHtml");
  await makeGuest(scene);
  const { authorization } = stage.attacker;
  const queue = await mustAsk(scene, "POST", "/api/v1/register", authorization, {
    event_types: '["message"]',
  });
  await store(
    scene,
    stage,
    Array.from({ length: storedMessages }, (_, index) => `needle ${index} ${expandingText}`),
  );
  const queueId = encodeURIComponent(String(queue.queue_id));
  const poll = `/api/v1/events?queue_id=${queueId}&last_event_id=-1&dont_block=true`;
  return [
    readStrike(scene, stage),
    readStrike(scene, stage, "needle"),
    () => ask(scene, "GET", poll, authorization),
    () =>
      ask(
        scene,
        "POST",
        "/api/v1/messages",
        authorization,
        messageForm(stage.channel, expandingText),
      ),
  ];
};

/** A member makes channels with descriptions that become long HTML, and registers. */
export const manyChannels: Attack = async (scene) => {
  const [attacker] = scene.others;
  const authorization = attacker?.authorization ?? "";
  const description = "😀$$x^2$$".repeat(110).slice(0, 1_020);
  let made = 0;
  const makeSome: Strike = () => {
    const names = Array.from({ length: channelsPerRequest }, () => ({
      name: `attack ${made++}`,
      description,
    }));
    return ask(scene, "POST", "/api/v1/users/me/subscriptions", authorization, {
      subscriptions: JSON.stringify(names),
    });
  };
  // A server that bounds how many channels somebody makes refuses the later ones.
  while (made < channels) await (await makeSome()).text();
  const register: Strike = () =>
    ask(scene, "POST", "/api/v1/register", authorization, { apply_markdown: "true" });
  return [register, register, makeSome];
};

/**
 * Code of a language that is costly to colour, as much as a message takes, and formulas of many
 * cells.
 */
const costlyCode = ["perl", "cpp", "latex", "javascript"].map(
  (language) =>
    `\`\`\`${language}\n${'$a{"b"} =~ s/x(y)/"z$1"/g; // \\foo{bar} <T> `q`\n'.repeat(180)}\`\`\``,
);
const costlyFormulas = [
  `$$\\begin{matrix}${"a & b \\\\ ".repeat(60)}\\end{matrix}$$`,
  `$$${"\\frac{a}{b}".repeat(120)}$$ `.repeat(2),
  `$$\\sqrt{${"x_1^2+".repeat(150)}y}$$ `.repeat(3),
];

/**
 * A member sends messages with as much code and as many formulas as fit, and has such texts
 * rendered.
 */
export const costlyMarkdown: Attack = async (scene) => {
  const stage = await openStage(scene, "costlyMarkdown");
  const { authorization } = stage.attacker;
  const texts = [...costlyCode, ...costlyFormulas];
  let turn = 0;
  const next = () => texts[turn++ % texts.length] ?? "";
  const send: Strike = () =>
    ask(scene, "POST", "/api/v1/messages", authorization, messageForm(stage.channel, next()));
  const render: Strike = () =>
    ask(scene, "POST", "/api/v1/messages/render", authorization, { content: next() });
  return [send, send, render, render];
};

/**
 * A member fills a channel with messages of many words and searches for words that they are full
 * of.
 */
export const wordySearches: Attack = async (scene) => {
  const stage = await openStage(scene, "wordySearches");
  const text = (index: number) => `alpha${index} ${"needle beta ".repeat(800)}`;
  await store(
    scene,
    stage,
    Array.from({ length: storedMessages }, (_, index) => text(index)),
  );
  const words = ["needle", "beta", "needle beta", '"beta needle"'];
  return words.map((search) => readStrike(scene, stage, search));
};
