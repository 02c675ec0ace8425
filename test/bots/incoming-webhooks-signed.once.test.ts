import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash, createHmac, generateKeyPairSync, sign as signByKey } from "node:crypto";
import { integrations } from "../../src/bots/incoming-webhooks/catalog";
import { codeOf } from "../support/answers";
import { addressFor, hmacOf, newest, newHook, postTo } from "../support/servers/webhooks";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/** Signatures of the posts of each service that signs. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

const secret = "leek and potato";
const secretPath = (integration: string) => `/bots/${hook.id}/webhook_secrets/${integration}`;
const put = (person: Person, path: string, parameters: object) =>
  person.ask("PUT", path, { ...parameters });

/** Headers with the signature of a body under a secret. */
type Sign = (key: string, body: string) => Record<string, string>;

const signed =
  (header: string, prefix = "", algorithm = "sha256"): Sign =>
  (key, body) => ({
    [header]: `${prefix}${createHmac(algorithm, key).update(body).digest("hex")}`,
  });
const shared =
  (header: string): Sign =>
  (key) => ({ [header]: key });
const inBase64 = (key: string, text: string) =>
  createHmac("sha256", key).update(text).digest("base64");

const signStripe: Sign = (key, body) => {
  const at = world.clock.now();
  return { "stripe-signature": `t=${at},v1=${hmacOf(key, `${at}.${body}`)},v0=${"0".repeat(64)}` };
};
const signBuildkite: Sign = (key, body) => {
  const at = world.clock.now();
  return { "x-buildkite-signature": `timestamp=${at},signature=${hmacOf(key, `${at}.${body}`)}` };
};
const signNetlify: Sign = (key, body) => {
  const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
  const text = [
    { alg: "HS256", typ: "JWT" },
    { iss: "netlify", sha256 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = createHmac("sha256", key).update(text).digest("base64url");
  return { "x-webhook-signature": `${text}.${signature}` };
};
const signZendesk: Sign = (key, body) => {
  const time = new Date(world.clock.now() * 1_000).toISOString();
  return {
    "x-zendesk-webhook-signature-timestamp": time,
    "x-zendesk-webhook-signature": inBase64(key, `${time}${body}`),
  };
};

const signTransifex: Sign = (key, body) => {
  const date = new Date(world.clock.now() * 1_000).toUTCString();
  const address = "https://chat.example.com/api/v1/external/transifex";
  const bodyHash = createHash("md5").update(body).digest("hex");
  return {
    date,
    "x-tx-url": address,
    "x-tx-signature-v2": inBase64(key, `POST\n${address}\n${date}\n${bodyHash}`),
  };
};

const signTrello: Sign = (key, body) => {
  const address = `http://${worldHost}/api/v1${addressFor(hook, "trello")}`;
  return {
    "x-trello-webhook": createHmac("sha1", key).update(`${body}${address}`).digest("base64"),
  };
};

const rsaKeys = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
/** Keys of Travis CI, and of somebody else. */
const [travisKeys, otherKeys] = [rsaKeys(), rsaKeys()];
const travisSignature = (payload: string, key = travisKeys.privateKey) => ({
  signature: signByKey("sha1", Buffer.from(payload), key).toString("base64"),
});
const signTravis: Sign = (key, body) =>
  travisSignature(
    new URLSearchParams(body).get("payload") ?? "",
    (key === travisKeys.publicKey ? travisKeys : otherKeys).privateKey,
  );
const asForm = { "content-type": "application/x-www-form-urlencoded" };
const formOf = (payload: string) => new URLSearchParams({ payload }).toString();

/** A post of each service that signs, with its headers and its signature. */
const signing: [name: string, payload: object, headers: Record<string, string>, sign: Sign][] = [
  [
    "github",
    { zen: "soup" },
    { "x-github-event": "ping" },
    signed("x-hub-signature-256", "sha256="),
  ],
  ["gitlab", { object_kind: "build" }, {}, shared("x-gitlab-token")],
  ["gitea", { forkee: {} }, { "x-gitea-event": "fork" }, signed("x-gitea-signature")],
  ["gogs", { forkee: {} }, { "x-gogs-event": "fork" }, signed("x-gogs-signature")],
  [
    "sentry",
    { data: {} },
    { "sentry-hook-resource": "installation" },
    signed("sentry-hook-signature"),
  ],
  ["grafana", { status: "ok" }, {}, signed("x-grafana-alerting-signature")],
  [
    "pagerduty",
    { event: { event_type: "pagey.ping" } },
    {},
    signed("x-pagerduty-signature", `v1=${"0".repeat(64)},v1=`),
  ],
  ["stripe", { type: "payout.paid" }, {}, signStripe],
  ["jira", { webhookEvent: "issuelink_created" }, {}, signed("x-hub-signature", "sha256=")],
  ["linear", { type: "Comment", action: "remove" }, {}, signed("linear-signature")],
  [
    "circleci",
    { type: "ping", webhook: { name: "soup" } },
    {},
    signed("circleci-signature", "v1="),
  ],
  ["buildkite", { event: "ping" }, {}, signBuildkite],
  ["netlify", { site_id: "1" }, { "x-netlify-event": "deploy_locked" }, signNetlify],
  ["semaphore", { pipeline: { result: "passed" } }, {}, signed("x-semaphore-signature-256")],
  ["honeybadger", { event: "deployed", message: "soup" }, {}, shared("honeybadger-token")],
  ["bitbucket2", {}, { "x-event-key": "repo:updated" }, signed("x-hub-signature", "sha256=")],
  ["bitbucket3", { eventKey: "repo:modified" }, {}, signed("x-hub-signature", "sha256=")],
  ["sonarqube", { project: { key: "1", name: "soup" } }, {}, signed("x-sonar-webhook-hmac-sha256")],
  [
    "heroku",
    { resource: "dyno" },
    {},
    (key, body) => ({ "heroku-webhook-hmac-sha256": inBase64(key, body) }),
  ],
  ["intercom", { topic: "ping" }, {}, signed("x-hub-signature", "sha1=", "sha1")],
  [
    "discourse",
    {},
    { "x-discourse-event": "ping" },
    signed("x-discourse-event-signature", "sha256="),
  ],
  ["patreon", {}, { "x-patreon-event": "posts:update" }, signed("x-patreon-signature", "", "md5")],
  ["taiga", { type: "test" }, {}, signed("x-taiga-webhook-signature", "", "sha1")],
  ["openproject", { action: "time_entry:created" }, {}, signed("x-op-signature", "sha1=", "sha1")],
  ["notion", { type: "page.moved" }, {}, signed("x-notion-signature", "sha256=")],
  ["trello", { action: { type: "updateBoard" } }, {}, signTrello],
  ["reviewboard", { event: "reply_published" }, {}, signed("x-hub-signature", "sha1=", "sha1")],
  ["dbt", { eventType: "job.run.started" }, {}, signed("authorization")],
  [
    "front",
    { type: "forward", conversation: { id: "cnv_1" } },
    {},
    (key, body) => ({
      "x-front-signature": createHmac("sha1", key).update(body).digest("base64"),
    }),
  ],
  ["transifex", { event: "review_completed" }, {}, signTransifex],
  ["clickup", { event: "listCreated" }, {}, signed("x-signature")],
  ["shortcut", { actions: [{ entity_type: "label" }] }, {}, signed("payload-signature")],
  ["clubhouse", { actions: [{ entity_type: "label" }] }, {}, signed("payload-signature")],
  ["redmine", { type: "news.created" }, {}, signed("x-redmine-signature-256", "sha256=")],
  ["greenhouse", { action: "ping" }, {}, signed("signature", "sha256 ")],
  ["zendesk", { type: "zen:event-type:ticket.tags_changed" }, {}, signZendesk],
  ["travis", { status_message: "Passed" }, asForm, signTravis],
];
const secretOf = (name: string) => (name === "travis" ? travisKeys.publicKey : secret);
/** Services that send the secret itself. */
const sendingTheSecret = ["gitlab", "honeybadger"];

test("Each service that signs is tried", () => {
  const services = [...integrations.values()].filter(({ signature }) => signature !== undefined);
  expect(signing.map(([name]) => name).sort()).toEqual(services.map(({ name }) => name).sort());
});

describe("Where a bot has a secret, a post has to be signed with it by", () => {
  test.each(signing)("%s", async (name, payload, headers, sign) => {
    const json = JSON.stringify(payload);
    const body = headers === asForm ? formOf(json) : json;
    const key = secretOf(name);
    const post = async (signature: Record<string, string>, text = body) =>
      codeOf(
        await postTo(world, hook, name, payload, {
          body: text,
          headers: { ...headers, ...signature },
        }),
      );
    expect(await post({})).toBe("200");
    expect((await put(world.alice, secretPath(name), { secret: key })).body).toEqual({
      result: "success",
      msg: "",
    });
    const right = sign(key, body);
    const before = (await newest(world.alice)).id;
    expect(await post({})).toBe("400 BAD_REQUEST");
    expect(await post(sign("another secret", body))).toBe("400 BAD_REQUEST");
    expect(await post(Object.fromEntries(Object.keys(right).map((header) => [header, ""])))).toBe(
      "400 BAD_REQUEST",
    );
    if (!sendingTheSecret.includes(name))
      expect(await post(right, `${body} `)).toBe("400 BAD_REQUEST");
    expect((await newest(world.alice)).id).toBe(before);
    expect(await post(right)).toBe("200");
    expect((await world.alice.delete(secretPath(name))).status).toBe(200);
    expect(await post({})).toBe("200");
  });

  test("Buildkite and Semaphore, which have two ways, by either", async () => {
    const body = JSON.stringify({ event: "ping", pipeline: { result: "passed" } });
    const given: [string, Record<string, string>][] = [
      ["buildkite", { "x-buildkite-token": secret }],
      ["semaphore", { "x-semaphore-signature-256": `sha256=${hmacOf(secret, body)}` }],
    ];
    for (const [name, headers] of given) {
      const post = async (sent: Record<string, string>) =>
        codeOf(await postTo(world, hook, name, null, { body, headers: sent }));
      await put(world.alice, secretPath(name), { secret });
      expect(await post({})).toBe("400 BAD_REQUEST");
      expect(await post(headers)).toBe("200");
      await world.alice.delete(secretPath(name));
    }
  });

  test.each([
    ["stripe", signStripe],
    ["buildkite", signBuildkite],
    ["zendesk", signZendesk],
    ["transifex", signTransifex],
  ] as const)("%s only for five minutes", async (name, sign) => {
    await put(world.alice, secretPath(name), { secret });
    const [, payload] = signing.find(([one]) => one === name) ?? [];
    const body = JSON.stringify(payload);
    const headers = sign(secret, body);
    const post = async () => codeOf(await postTo(world, hook, name, null, { body, headers }));
    expect(await post()).toBe("200");
    world.clock.advance(301);
    expect(await post()).toBe("400 BAD_REQUEST");
    await world.alice.delete(secretPath(name));
  });
});

describe("Travis CI, which signs by key,", () => {
  const payload = JSON.stringify({ status_message: "Passed", branch: "küche" });
  const evil = JSON.stringify({ status_message: "Evil", branch: "main" });
  const around = `{"status_message":"Evil","x":"&payload=${encodeURIComponent(payload)}&y="}`;

  /** Posts a body with Travis CI's signature of the payload. */
  const post = async (body: string, headers: Record<string, string> = asForm) =>
    codeOf(
      await postTo(world, hook, "travis", null, {
        body,
        headers: { ...headers, ...travisSignature(payload) },
      }),
    );

  test("signs the text that is read: the one field of a form", async () => {
    await put(world.alice, secretPath("travis"), { secret: travisKeys.publicKey });
    const asJson = { "content-type": "application/json" };
    const before = (await newest(world.alice)).id;
    const refused: [body: string, headers?: Record<string, string>][] = [
      [payload, asJson],
      [around, asJson],
      [formOf(payload), asJson],
      [around],
      [` \n${around}`],
      [`${formOf(payload)}&${formOf(evil)}`],
      [`${formOf(evil)}&${formOf(payload)}`],
      [`PAYLOAD=${encodeURIComponent(payload)}`],
      [
        `payload=${payload}`,
        { "content-type": "application/x-www-form-urlencoded; charset=iso-8859-1" },
      ],
    ];
    for (const [body, headers] of refused)
      expect([body, headers, await post(body, headers)]).toEqual([
        body,
        headers,
        "400 BAD_REQUEST",
      ]);
    expect((await newest(world.alice)).id).toBe(before);
    expect(await post(`${formOf(payload)}&source=travis`)).toBe("200");
    expect((await newest(world.alice)).content).toContain("Build status: Passed");
    await world.alice.delete(secretPath("travis"));
  });

  test("is given no secret that is no public key, and never a private one", async () => {
    const set = (text: string) => put(world.alice, secretPath("travis"), { secret: text });
    const short = generateKeyPairSync("rsa", { modulusLength: 512 });
    const refused = [
      secret,
      "-----BEGIN PUBLIC KEY-----\nc291cA==\n-----END PUBLIC KEY-----",
      short.privateKey.export({ type: "pkcs8", format: "pem" }),
      short.privateKey.export({ type: "pkcs1", format: "pem" }),
      `${short.publicKey.export({ type: "spki", format: "pem" })}${short.privateKey.export({ type: "pkcs8", format: "pem" })}`,
    ].map(String);
    for (const text of refused) {
      const { status, body } = await set(text);
      expect([text, status, body.code]).toEqual([text, 400, "BAD_REQUEST"]);
      expect(body.msg).toContain("public key");
    }
    for (const type of ["spki", "pkcs1"] as const) {
      const text = String(short.publicKey.export({ type, format: "pem" }));
      expect((await set(text)).status).toBe(200);
    }
    await world.alice.delete(secretPath("travis"));
  });
});

test("Signatures are those of RFC 4231's function", () => {
  expect(hmacOf("key", "soup")).toBe(createHmac("sha256", "key").update("soup").digest("hex"));
});
