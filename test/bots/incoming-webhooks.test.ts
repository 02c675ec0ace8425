import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codeOf } from "../support/answers";
import { Client } from "../support/client";
import { readersOf, upload } from "../support/files";
import { newest, newHook, postTo, told } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Posts from elsewhere, whatever the service is. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

const soup = { text: "soup is ready" };
const post = (...given: [string, unknown, Parameters<typeof postTo>[4]?]) =>
  postTo(world, hook, ...given);

describe("A post to an incoming webhook", () => {
  test("becomes a message of the bot's, which those who are in the channel hear of", async () => {
    const { alice, otto } = world;
    const [hers, his] = [await alice.register(), await otto.register()];
    const { status, body } = await post("slack_incoming", soup, {
      query: { stream: "general", topic: "lunch" },
    });
    expect([status, body]).toEqual([200, { result: "success", msg: "", ok: true }]);
    const [event, ...rest] = await hers.events();
    expect(rest.filter(({ type }) => type === "message")).toEqual([]);
    expect(event).toMatchObject({
      type: "message",
      message: { sender_id: hook.id, subject: "lunch" },
    });
    expect(event.message).toMatchObject({
      content: "<p>soup is ready</p>",
      client: "SlackIncomingWebhook",
    });
    expect((await his.events()).filter(({ type }) => type === "message")).toEqual([]);
    expect(await newest(alice)).toMatchObject({
      content: "soup is ready",
      display_recipient: "general",
    });
  });

  test("A12: opens no file that it links to, although the bot may read it", async () => {
    const { alice, bob, greta } = world;
    const url = await upload(alice);
    await alice.say("general", "files", `[note](${url})`);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "guests" }],
      principals: [greta.id],
    });
    await post("slack_incoming", { text: `[note](${url})` }, { query: { stream: "guests" } });
    expect((await newest(greta)).content).toContain(url);
    expect(await readersOf(url, bob, greta)).toEqual(["Bob"]);
  });

  test("finds its channel by the id too", async () => {
    const query = { stream: String(world.channels.general), topic: "by id" };
    expect(await told(world, hook, "slack_incoming", soup, { query })).toEqual([
      "by id",
      "soup is ready",
    ]);
  });

  test("finds its channel and topic in an address that Jira has escaped once more", async () => {
    const payload = { webhookEvent: "jira:issue_deleted", issue: { key: "SOUP-1" } };
    const topicOf = async (topic: string, stream: string, service = "jira") => {
      const headers = { "x-event-key": "pullrequest:approved" };
      return (await told(world, hook, service, payload, { headers, query: { topic, stream } }))[0];
    };
    expect(await topicOf("hot%20soup%C3%A9", "gener%61l")).toBe("hot soupé");
    expect(await topicOf("hot%20soup", "gener%61l", "bitbucket2")).toBe("hot soup");
    expect(await topicOf("100% soup %20", "general")).toBe("100% soup %20");
    expect(codeOf(await post("slack_incoming", soup, { query: { stream: "gener%61l" } }))).toBe(
      "400 STREAM_DOES_NOT_EXIST",
    );
  });

  test("goes to the bot's owner alone where no channel is named", async () => {
    const { alice, bob } = world;
    const before = (await newest(bob)).id;
    const addresses: Record<string, string>[] = [{}, { stream: "" }];
    for (const query of addresses)
      expect((await post("slack_incoming", soup, { query })).status).toBe(200);
    const { type, display_recipient, sender_id } = await newest(alice);
    expect([type, sender_id]).toEqual(["private", hook.id]);
    const ids = display_recipient
      .map(({ id }: { id: number }) => id)
      .sort((a: number, b: number) => a - b);
    expect(ids).toEqual([alice.id, hook.id]);
    expect((await newest(bob)).id).toBe(before);
  });

  test("is signed with a person's key too: without a channel it goes to themselves", async () => {
    const { bob, robot } = world;
    expect((await postTo(world, bob, "slack_incoming", soup, { query: {} })).status).toBe(200);
    expect(await newest(bob)).toMatchObject({
      type: "private",
      sender_id: bob.id,
      content: "soup is ready",
    });
    expect((await postTo(world, robot, "slack_incoming", soup)).status).toBe(200);
  });

  test("is signed with a key that has blanks around it, as at the end of a file", async () => {
    const query = `?api_key=%20${hook.credentials?.apiKey}%0A&stream=general`;
    const { status } = await world.anonymous.ask(
      "POST",
      `/external/slack_incoming${query}`,
      {},
      { body: JSON.stringify(soup) },
    );
    expect(status).toBe(200);
  });

  test("is refused without a key, with a wrong one, in another organization and once the bot is gone", async () => {
    const { alice, anonymous, zoe } = world;
    const ask = (query: string, client = anonymous) =>
      client.ask("POST", `/external/slack_incoming${query}`, {}, { body: JSON.stringify(soup) });
    const missing = await ask("");
    expect(missing.body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "api_key" });
    expect(codeOf(await ask("?api_key=soup"))).toBe("401 INVALID_API_KEY");
    expect(codeOf(await ask(`?api_key=${"x".repeat(32)}`))).toBe("401 INVALID_API_KEY");
    const { host, site } = zoe;
    const elsewhere = await fetch(
      `${site}/api/v1/external/slack_incoming?api_key=${hook.credentials?.apiKey}`,
      {
        method: "POST",
        headers: { host },
        body: JSON.stringify(soup),
      },
    );
    expect(elsewhere.status).toBe(401);
    const gone = await newHook(world);
    await alice.delete(`/bots/${gone.id}`);
    expect(codeOf(await postTo(world, gone, "slack_incoming", soup))).toBe("401 INVALID_API_KEY");
  });

  test("is asked for by HEAD, as Trello does: each address is answered alike", async () => {
    const { alice, anonymous } = world;
    const before = (await newest(alice)).id;
    const asked = async (query: string) => {
      const { status, headers } = await anonymous.ask("HEAD", `/external/trello${query}`);
      return [status, ...[...headers].filter(([name]) => !/^(date|x-request-id)$/.test(name))];
    };
    const right = await asked(`?api_key=${hook.credentials?.apiKey}&stream=general`);
    const wrong = await asked(`?api_key=${"x".repeat(32)}&stream=general`);
    const none = await asked("");
    expect(right[0]).toBe(200);
    expect([wrong, none]).toEqual([right, right]);
    expect((await newest(alice)).id).toBe(before);
  });

  test("does not sign in with a key in the body, nor with HTTP Basic", async () => {
    const api_key = hook.credentials?.apiKey;
    const body = JSON.stringify({ ...soup, api_key });
    const headers = { "content-type": "application/json" };
    for (const client of [world.anonymous, hook]) {
      const answer = await client.ask("POST", "/external/slack_incoming", {}, { body, headers });
      expect(codeOf(answer)).toBe("400 REQUEST_VARIABLE_MISSING");
    }
  });

  test("leaves the key in no line of the log", async () => {
    await post("slack_incoming", soup);
    await post("slack_incoming", "no object");
    await post("nowhere", soup);
    expect(world.logged.join("\n")).not.toContain(hook.credentials?.apiKey ?? "nobody");
  });

  test("to an integration that there is not, or to a channel that the bot may not know or write to, is refused", async () => {
    expect(codeOf(await post("nowhere", soup))).toBe("404 NOT_FOUND");
    expect(codeOf(await post("constructor", soup))).toBe("404 NOT_FOUND");
    const hidden = await post("slack_incoming", soup, { query: { stream: "secret" } });
    const missing = await post("slack_incoming", soup, { query: { stream: "nowhere" } });
    expect([codeOf(hidden), codeOf(missing)]).toEqual(Array(2).fill("400 STREAM_DOES_NOT_EXIST"));
  });

  test("that is refused is told to the bot's owner, once in ten minutes", async () => {
    const { alice, olga } = world;
    const bell = await newHook(world);
    const { id: anchor } = await newest(alice);
    const refuse = async (stream: string) =>
      expect(
        (await postTo(world, bell, "slack_incoming", soup, { query: { stream } })).status,
      ).toBe(400);
    const notices = async () => {
      const range = { anchor, include_anchor: false, num_before: 0, num_after: 9 };
      const { body } = await alice.get("/messages", { ...range, apply_markdown: false });
      return body.messages.map(({ content }: { content: string }) => content);
    };
    const { full_name: name } = (await alice.get(`/users/${bell.id}`)).body.user;
    const refused = (stream: string) =>
      `A post for the channel \`${stream}\` to your bot @_**${name}|${bell.id}** was refused.`;
    const quoted = (why: string) => `\n\n\`\`\`quote\n${why}\n\`\`\``;
    await refuse("kitchen `old`");
    await refuse("secret");
    expect(await notices()).toEqual([
      refused("kitchen 'old'") + quoted("Channel 'kitchen `old`' does not exist."),
    ]);
    // The owner does not know this channel, so that its name is told to nobody but the bot.
    await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "quarrel" }],
      principals: [bell.id, olga.id],
      invite_only: true,
    });
    const id = (await olga.get("/get_stream_id", { stream: "quarrel" })).body.stream_id;
    await olga.patch(`/streams/${id}`, {
      can_send_message_group: { new: { direct_members: [olga.id], direct_subgroups: [] } },
    });
    await world.pass(600);
    await refuse(String(id));
    expect((await notices()).slice(1)).toEqual([refused(String(id))]);
  });

  test("of which many are refused at once, on two nodes, is told to the bot's owner once", async () => {
    const { alice, anonymous } = world;
    const bell = await newHook(world);
    const { id: anchor } = await newest(alice);
    const other = { anonymous: new Client((await world.startNode()).site, anonymous.host) };
    const posts = Array.from({ length: 16 }, (_, index) =>
      postTo(index === 0 ? other : world, bell, "slack_incoming", soup, {
        query: { stream: `nowhere ${index}` },
      }),
    );
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(Array(16).fill(400));
    const range = { anchor, include_anchor: false, num_before: 0, num_after: 20 };
    expect((await alice.get("/messages", range)).body.messages).toHaveLength(1);
  });

  test("is JSON or a form with JSON in it, in the encoding that it declares", async () => {
    const form = `payload=${encodeURIComponent(JSON.stringify({ text: "Zürich & soup" }))}`;
    const forms = { "content-type": "application/x-www-form-urlencoded" };
    const bodies: [string | Uint8Array<ArrayBuffer>, Record<string, string>][] = [
      [form, forms],
      [JSON.stringify({ text: "Zürich & soup" }), forms],
      [`\ufeff${JSON.stringify({ text: "Zürich & soup" })}`, {}],
      [
        Uint8Array.from(Buffer.from(JSON.stringify({ text: "Zürich & soup" }), "latin1")),
        { "content-type": "application/json; charset=ISO-8859-1" },
      ],
      [
        Uint8Array.from(Buffer.from(JSON.stringify({ text: "Zürich & soup" }), "utf16le")),
        { "content-type": 'text/plain; charset="utf-16le"' },
      ],
    ];
    for (const [body, headers] of bodies) {
      const query = { stream: "general", topic: "encodings" };
      expect(await told(world, hook, "slack_incoming", null, { body, headers, query })).toEqual([
        "encodings",
        "Zürich & soup",
      ]);
    }
  });

  test("is a form with fields of its own, as UptimeRobot posts one", async () => {
    const body = new URLSearchParams({
      monitorFriendlyName: "Web & Server",
      monitorURL: "https://www.example.com",
      alertTypeFriendlyName: "Down",
      alertDetails: "Connection Timeout",
      ["__proto__"]: "nobody",
    }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const query = { stream: "general" };
    expect(await told(world, hook, "uptimerobot", null, { body, headers, query })).toEqual([
      "Web & Server",
      "[Web & Server](https://www.example.com/) is **Down** (Connection Timeout).",
    ]);
    const neither = await post("json", null, { body: "", headers });
    expect(neither.body.msg).toContain("or with fields of its own");
  });

  test("that is no JSON, of an unknown encoding, nested too deeply or too large is refused", async () => {
    const refused = async (body: string, headers = {}) =>
      codeOf(await post("json", null, { body, headers }));
    for (const body of ["", "soup", "{", "payload={}"])
      expect(await refused(body)).toBe("400 BAD_REQUEST");
    expect(await refused("", { "content-type": "application/x-www-form-urlencoded" })).toBe(
      "400 BAD_REQUEST",
    );
    expect(await refused("{}", { "content-type": "application/json; charset=soup" })).toBe(
      "400 BAD_REQUEST",
    );
    expect(await refused("[".repeat(100_000))).toBe("400 BAD_REQUEST");
    expect(await refused(`"${"x".repeat(1_100_000)}"`)).toBe("413 REQUEST_TOO_LARGE");
    expect(codeOf(await post("github", [1], { headers: { "x-github-event": "ping" } }))).toBe(
      "400 ANOMALOUS_WEBHOOK_PAYLOAD",
    );
    expect(codeOf(await post("github", {}))).toBe("400 ANOMALOUS_WEBHOOK_PAYLOAD");
    expect((await world.alice.get("/users/me")).status).toBe(200);
  });

  test("counts in the rate limits of who posts", async () => {
    const strict = await makeWorld({ requests_per_minute_per_key: "2" });
    try {
      const bot = await newHook(strict);
      const codes = [];
      for (let count = 0; count < 3; count++)
        codes.push(codeOf(await postTo(strict, bot, "slack_incoming", soup)));
      expect(codes).toEqual(["200", "200", "429 RATE_LIMIT_HIT"]);
    } finally {
      await strict.close();
    }
  });
});

describe("Of the events of a service", () => {
  const headers = { "x-github-event": "issues" };
  const payload = (action: string) => ({
    action,
    sender: { login: "octocat" },
    repository: { name: "soup" },
    issue: {
      number: 3,
      title: "Too hot",
      html_url: "https://github.com/kitchen/soup/issues/3",
      body: null,
    },
  });

  test("an unknown one is answered with success and a word about it, and says nothing", async () => {
    const before = (await newest(world.alice)).id;
    const { status, body } = await post("github", payload("typed"), { headers });
    expect([status, body]).toEqual([
      200,
      {
        result: "success",
        code: "UNSUPPORTED_WEBHOOK_EVENT_TYPE",
        webhook_name: "GitHub",
        event_type: "issues:typed",
        msg: "The 'issues:typed' event isn't currently supported by the GitHub webhook; ignoring",
      },
    ]);
    expect((await newest(world.alice)).id).toBe(before);
  });

  test.each([
    ["only_events", '["issues"]', true],
    ["only_events", '["issues:opened"]', true],
    ["only_events", "issues_op*,push", true],
    ["only_events", '["issues:clos?d", "push"]', false],
    ["only_events", "*ed", true],
    ["only_events", "*o*e*d*", true],
    ["only_events", "*x*", false],
    ["exclude_events", '["issues"]', false],
    ["exclude_events", "issues:close*", true],
  ])("%s=%s leaves an opened issue out or not: %p", async (name, value, isSaid) => {
    const before = (await newest(world.alice)).id;
    const { body } = await post("github", payload("opened"), {
      headers,
      query: { stream: "general", [name]: value },
    });
    expect(body).toEqual({ result: "success", msg: "" });
    expect((await newest(world.alice)).id > before).toBe(isSaid);
  });
});

describe("A text from elsewhere", () => {
  const headers = { "x-github-event": "issues" };
  const said = async (title: string, body: string | null = null, login = "octocat") => {
    const issue = { number: 3, title, html_url: "https://github.com/kitchen/soup/issues/3", body };
    const payload = { action: "opened", sender: { login }, repository: { name: "soup" }, issue };
    const [topic = "", content = ""] = await told(world, hook, "github", payload, { headers });
    const { body: read } = await world.alice.get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      apply_markdown: true,
    });
    const { content: html, flags } = read.messages.at(-1);
    return { topic, content, html, flags };
  };

  test("mentions nobody: no person, no group, and not everybody", async () => {
    const { flags, html } = await said(
      "@**Alice** @**all** @*role:everyone*",
      "@**Alice** `@**all**` @**all** @*role:members*",
      "@**all**",
    );
    expect(flags.filter((flag: string) => flag.includes("mentioned"))).toEqual([]);
    expect(html).not.toContain("user-mention");
    expect(html).not.toContain("group-mention");
    const payload = {
      text: "<!channel> <!here> @**all** *@**Alice*** <@U1|**Alice**>",
      blocks: [],
    };
    await told(world, hook, "slack_incoming", payload);
    expect(
      (await newest(world.alice)).flags.filter((flag: string) => flag.includes("mention")),
    ).toEqual([]);
  });

  test("cannot end the link, the code, the bold or the quotation that it stands in", async () => {
    const evil = "]](https://evil.example) **`x` $$a$$ <time:1> ~~";
    const { html } = await said(evil, "text\n```\n````quote\n``````\n# loud @**all**\n~~~", evil);
    expect(html).not.toContain("]](");
    expect(html.split("<blockquote>")[0]).not.toContain("<strong>");
    expect(html).not.toContain("<time");
    expect(html.replaceAll(/<blockquote>[\s\S]*<\/blockquote>/g, "")).not.toContain("loud");
    const { html: tricky } = await said("x", "[y](javascript:alert(1))", "a](javascript:x) [b");
    expect(tricky).not.toContain('href="javascript');
  });

  test("is cut: the topic with an ellipsis at 60 characters, long texts too", async () => {
    const { topic } = await said("very ".repeat(30));
    expect([...topic]).toHaveLength(60);
    expect(topic.endsWith("…")).toBe(true);
    const { topic: emoji } = await said("🍲".repeat(100));
    expect([...emoji]).toHaveLength(60);
    const { content } = await said("long", "é".repeat(50_000));
    expect(content.length).toBeLessThan(4_000);
    expect(content).toContain("…\n```");
    const { topic: clean, content: text } = await said(
      "a\u0000b\nc\u202ed\ud800",
      "e\u0000f\ud800",
    );
    expect(clean).toBe("soup / issue #3 a b cd\ufffd");
    expect(text).toContain("ef\ufffd");
  });
});
