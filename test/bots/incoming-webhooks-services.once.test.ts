import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { integrations } from "../../src/bots/incoming-webhooks/catalog";
import { parseTemplate } from "../../src/bots/incoming-webhooks/template";
import { webhookPosts } from "../support/servers/webhook-posts/all";
import type { Post } from "../support/servers/webhook-posts/post";
import { newest, newHook, postTo, told } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Messages that each of the services that the server knows leads to. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

const saying = webhookPosts.filter(({ topic }) => topic !== undefined);
const silent = webhookPosts.filter(({ topic }) => topic === undefined);

const asForm = (payload: object) => ({
  body: new URLSearchParams(Object.entries(payload)).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

const named = (all: Post[]) =>
  all.map((post): [string, Post] => [`${post.integration}: ${post.what}`, post]);

describe("What is posted becomes a topic and a text", () => {
  test.each(named(saying))(
    "%s",
    async (_, { integration, headers = {}, payload, isForm = false, topic = "", text = "" }) => {
      const posting = isForm ? asForm(payload) : { headers };
      expect(await told(world, hook, integration, payload, posting)).toEqual([topic, text]);
    },
  );
});

describe("Nothing is said of", () => {
  test.each(named(silent))("%s", async (_, { integration, headers = {}, payload }) => {
    const before = (await newest(world.alice)).id;
    const { body } = await postTo(world, hook, integration, payload, { headers });
    expect(body).toEqual({ result: "success", msg: "" });
    expect((await newest(world.alice)).id).toBe(before);
  });
});

/** An event of each service that it does not have. */
const unknown: [
  integration: string,
  headers: Record<string, string>,
  payload: object,
  event: string,
][] = [
  ["github", { "x-github-event": "soup" }, { action: "served" }, "soup:served"],
  ["gitlab", {}, { object_kind: "soup" }, "soup"],
  ["gitea", { "x-gitea-event": "soup" }, {}, "soup"],
  ["sentry", { "sentry-hook-resource": "soup" }, { action: "served" }, "soup:served"],
  ["grafana", {}, { status: "soup" }, "soup"],
  ["alertmanager", {}, { status: "soup" }, "soup"],
  ["pagerduty", {}, { event: { event_type: "soup.served" } }, "soup.served"],
  ["uptimekuma", {}, { heartbeat: { status: 9 } }, "status 9"],
  ["stripe", {}, { type: "constructor" }, "constructor"],
  ["jira", {}, { webhookEvent: "soup" }, "soup"],
  ["linear", {}, { type: "Soup", action: "create" }, "Soup:create"],
  ["circleci", {}, { type: "soup" }, "soup"],
  ["jenkins", {}, { build: { phase: "SOUP" } }, "SOUP"],
  ["buildkite", {}, { event: "soup" }, "soup"],
  ["netlify", { "x-netlify-event": "soup" }, { site_id: "1" }, "soup"],
  ["harbor", {}, { type: "SOUP" }, "SOUP"],
  ["rollbar", {}, { event_name: "soup" }, "soup"],
  ["honeybadger", {}, { event: "soup" }, "soup"],
  ["opsgenie", {}, { action: "Soup", alert: { alertId: "1" } }, "Soup"],
  ["bitbucket2", { "x-event-key": "soup:served" }, {}, "soup:served"],
  ["bitbucket3", {}, { eventKey: "soup:served" }, "soup:served"],
  ["azuredevops", {}, { eventType: "soup.served" }, "soup.served"],
  ["gogs", { "x-gogs-event": "soup" }, {}, "soup"],
  ["teamcity", {}, { build: { notifyType: "soup" } }, "soup"],
  ["heroku", {}, { resource: "soup", action: "create" }, "soup:create"],
  ["rundeck", {}, { trigger: "soup" }, "soup"],
  ["updown", {}, [{ event: "check.soup" }], "check.soup"],
  ["sonarr", {}, { eventType: "Soup" }, "Soup"],
  ["radarr", {}, { eventType: "Soup" }, "Soup"],
  ["lidarr", {}, { eventType: "Soup" }, "Soup"],
  ["newrelic", {}, { issueUrl: "1", state: "SOUP" }, "SOUP"],
  ["raygun", {}, { event: "soup" }, "soup"],
  ["thinkst", {}, { AlertType: "Soup" }, "Soup"],
  ["zendesk", {}, { type: "zen:event-type:soup.served" }, "soup.served"],
  ["intercom", {}, { topic: "soup.served" }, "soup.served"],
  ["discourse", { "x-discourse-event": "soup" }, {}, "soup"],
  ["patreon", { "x-patreon-event": "soup" }, {}, "soup"],
  ["wordpress", {}, { hook: "serve_soup" }, "serve_soup"],
  ["trello", {}, { action: { type: "serveSoup" } }, "serveSoup"],
  ["taiga", {}, { type: "soup", action: "create" }, "soup:create"],
  ["wekan", {}, { description: "soup" }, "soup"],
  ["openproject", {}, { action: "soup:served" }, "soup:served"],
  ["notion", {}, { type: "soup.served" }, "soup.served"],
  ["basecamp", {}, { kind: "soup_served" }, "soup_served"],
  ["appveyor", {}, { eventName: "soup" }, "soup"],
  ["reviewboard", {}, { event: "soup" }, "soup"],
  ["beanstalk", {}, { trigger: "soup" }, "soup"],
  ["buildbot", {}, { event: "soup" }, "soup"],
  ["dbt", {}, { eventType: "soup" }, "soup"],
  ["clickup", {}, { event: "soupServed" }, "soupServed"],
  ["shortcut", {}, { actions: [{ entity_type: "soup", action: "serve" }] }, "soup:serve"],
  ["clubhouse", {}, { actions: [{ entity_type: "soup", action: "serve" }] }, "soup:serve"],
  ["redmine", {}, { type: "soup.served" }, "soup.served"],
  ["greenhouse", {}, { action: "serve_soup" }, "serve_soup"],
  [
    "azuremonitor",
    {},
    { schemaId: "1", data: { essentials: { monitorCondition: "Soup" } } },
    "Soup",
  ],
  ["front", {}, { type: "soup", conversation: { id: "cnv_1" } }, "soup"],
  ["transifex", {}, { event: "soup" }, "soup"],
  ["opencollective", {}, { type: "soup.served" }, "soup.served"],
];

/** Services whose posts are told apart by nothing. */
const ofOneEvent = [
  "travis",
  "semaphore",
  "statuspage",
  "pingdom",
  "uptimerobot",
  "helloworld",
  "sonarqube",
  "ansibletower",
  "datadog",
  "airbrake",
  "papertrail",
  "splunk",
  "zabbix",
  "freshdesk",
  "canarytoken",
  "zapier",
  "ifttt",
  "homeassistant",
  "errbit",
  "airbyte",
];

describe("An event that is not known is answered with success by", () => {
  test("all of them", () => {
    const all = [...integrations.keys()].filter((name) => !ofOneEvent.includes(name));
    expect(unknown.map(([name]) => name).sort()).toEqual(all.sort());
  });

  test.each(unknown)("%s", async (integration, headers, payload, event) => {
    const { status, body } = await postTo(world, hook, integration, payload, { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: "success",
      code: "UNSUPPORTED_WEBHOOK_EVENT_TYPE",
      event_type: event,
    });
  });

  test.each([...integrations.keys()])(
    "%s, and what is no event of it is refused",
    async (integration) => {
      const { status, body } = await postTo(world, hook, integration, { soup: 1 });
      expect([status, body.code]).toEqual([400, "ANOMALOUS_WEBHOOK_PAYLOAD"]);
    },
  );
});

test("Each template of the server's own can be read", () => {
  for (const { forms } of integrations.values()) {
    for (const form of Object.values(forms)) {
      if (form)
        expect([parseTemplate(form.topic).length, parseTemplate(form.text).length]).not.toContain(
          0,
        );
    }
  }
});

test("Of a long list twenty are shown", async () => {
  const commits = Array.from({ length: 22 }, (_, at) => ({
    id: "abcdef0123",
    message: `Step ${at}`,
    url: "",
  }));
  const payload = {
    ref: "refs/heads/main",
    after: "1",
    pusher: { name: "octocat" },
    commits,
    repository: { name: "soup" },
  };
  const [, text = ""] = await told(world, hook, "github", payload, {
    headers: { "x-github-event": "push" },
  });
  const lines: string[] = text.split("\n");
  expect(lines[0]).toBe("octocat pushed 22 commits to branch `main`.");
  expect(lines.filter((line) => line.startsWith("* Step"))).toHaveLength(20);
  expect(lines.slice(-2)).toEqual(["* Step 19 (abcdef0)", "… and 2 more"]);
});
