import { afterAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { write } from "../../src/core/write";
import { exportReadable } from "../../src/moving/readable/export";
import { NewFolder } from "../../src/moving/readable/folder";
import { jsonlForm } from "../../src/moving/readable/jsonl";
import { pagesForm } from "../../src/moving/readable/pages";
import { readableMessages, readDirectory } from "../../src/moving/readable/read";
import { backupFolder } from "../support/archives/backups";
import { Client } from "../support/client";
import { upload } from "../support/files";
import { addManyMessages } from "../support/many-messages";
import { outcomeOf } from "../support/outcome";
import { emojiForm, staticPng } from "../support/pictures";
import { makeWorld, type World, worldHost } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

const quietly = { progress: () => undefined, check: () => undefined };

/** Messages in a channel and to a person, with a file, an emoji and a reaction. */
async function talk({ olga, alice, bob }: World): Promise<void> {
  await olga.ask("POST", "/realm/emoji/parrot", {}, { body: emojiForm(staticPng) });
  const url = await upload(alice, "menu & more.txt", "leek soup");
  const id = await alice.say("general", "lunch <b>", `soup? :parrot: [the menu](${url})`);
  await bob.post(`/messages/${id}/reactions`, { emoji_name: "+1" });
  await bob.tell([alice], "only for Alice </script><script>alert(1)</script>");
}

const linesIn = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The search of an overview, run with the parts of a document that it needs. */
function searchIn(path: string, index: string) {
  class Element {
    children: (Element | string)[] = [];
    textContent = "";
    dataset = { files: "1", nothing: "none", more: "more" };
    listeners: (() => void)[] = [];
    value = "";
    append = (...more: (Element | string)[]) => void this.children.push(...more);
    replaceChildren = () => {
      this.children = [];
      this.textContent = "";
    };
    addEventListener = (_: string, listener: () => void) => void this.listeners.push(listener);
  }
  const [input, results] = [new Element(), new Element()];
  const script = /<script>([\s\S]*)<\/script>/.exec(index)?.[1] ?? "";
  const head = {
    append(added: { src: string; onload(): void }) {
      run.found(readFileSync(join(path, added.src), "utf8"));
      added.onload();
    },
  };
  const document = {
    head,
    getElementById: (id: string) => (id === "search" ? input : results),
    createElement: () => new Element(),
  };
  const run = new Function("document", `${script}; return { found: (text) => eval(text) };`)(
    document,
  );
  return async (words: string) => {
    input.value = words;
    for (const listener of input.listeners) listener();
    // The texts are there at once, and promises of them are kept before this.
    await new Promise((done) => setImmediate(done));
    return results.children.map((item) =>
      typeof item === "string" ? item : item.children.map((one) => (one as Element).textContent),
    );
  };
}

describe("An export to be read", () => {
  test("as lines of JSON has each message with its sender, place, reactions and files", async () => {
    const world = await makeWorld();
    await talk(world);
    const path = join(folder, "lines");
    const report = await exportReadable(world.operator, path, "jsonl", quietly);
    expect(report).toEqual({ messages: 2, files: 2, filesMissing: 0 });
    const [first, second] = linesIn(join(path, "messages.jsonl"));
    expect(first).toMatchObject({
      channel: "general",
      topic: "lunch <b>",
      sender: { name: world.alice.fullName, email: world.alice.email },
      content: expect.stringContaining("soup? :parrot:"),
      reactions: [{ emoji: "+1", name: world.bob.fullName }],
      files: [{ name: "menu & more.txt" }],
    });
    expect(readFileSync(join(path, first.files[0].path), "utf8")).toBe("leek soup");
    expect(second.direct.split(", ").toSorted()).toEqual(
      [world.alice.fullName, world.bob.fullName].toSorted(),
    );
    const people = linesIn(join(path, "people.jsonl")).map(({ email }) => email);
    expect(people).toContain(world.bob.email);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    await world.close();
  });

  test("as pages leads everywhere within its folder, shows text as text, and is searched without a server", async () => {
    const world = await makeWorld();
    await talk(world);
    const path = join(folder, "pages");
    await exportReadable(world.operator, path, "html", quietly);
    const index = readFileSync(join(path, "index.html"), "utf8");
    const pages = readdirSync(join(path, "messages")).map((name) => join("messages", name));
    expect(pages).toHaveLength(2);
    const leads = ["index.html", ...pages].flatMap((page) =>
      [...readFileSync(join(path, page), "utf8").matchAll(/(?:href|src)="([^"]*)"/g)]
        .map(([, address = ""]) => decodeURIComponent(address))
        .filter((address) => !/^https?:/.test(address))
        .map((address) => join(path, dirname(page), address)),
    );
    expect(leads.length).toBeGreaterThan(4);
    expect(leads.filter((place) => !existsSync(place))).toEqual([]);
    const all = pages.map((page) => readFileSync(join(path, page), "utf8")).join("");
    expect(all).toContain("lunch &lt;b&gt;");
    expect(all).not.toContain("<script");
    expect(all).toMatch(/src="\.\.\/emoji\/[\w-]+\.png"/);
    const search = searchIn(path, index);
    expect(await search("SOUP lunch")).toEqual([
      [`#general › lunch <b>, ${world.alice.fullName}`, expect.stringContaining("soup?")],
    ]);
    expect(await search("alert")).toEqual([
      [expect.any(String), "only for Alice </script><script>alert(1)</script>"],
    ]);
    expect(await search("nowhere")).toEqual([]);
    await world.close();
  });

  test("has messages that are moved meanwhile into a new channel, and reactions of newcomers", async () => {
    const world = await makeWorld();
    const { alice, olga, operator } = world;
    const id = await alice.say("general", "lunch", "leek soup");
    const [lines, pages] = [
      await NewFolder.open(join(folder, "moved-lines")),
      await NewFolder.open(join(folder, "moved-pages")),
    ];
    const forms = [
      jsonlForm(lines),
      pagesForm({ folder: pages, title: "Acme", site: "", locale: { language: "en", zone: "" } }),
    ];
    const directory = await readDirectory(operator);
    for (const form of forms) await form.begin();
    await olga.post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] });
    const { stream_id } = (await olga.get("/get_stream_id", { stream: "kitchen" })).body;
    await olga.patch(`/messages/${id}`, { stream_id });
    const [email, password] = ["nora@example.com", "correct horse battery"];
    await olga.post("/users", { email, full_name: "Nora", password });
    const key = await world.anonymous.post("/fetch_api_key", { username: email, password });
    const nora = new Client(world.site, worldHost, { email, apiKey: key.body.api_key });
    await nora.post(`/messages/${id}/reactions`, { emoji_name: "+1" });
    for await (const page of readableMessages(operator, directory))
      for (const form of forms) await form.add(page);
    for (const form of forms) await form.end(directory);
    await Promise.all([lines.keep(), pages.keep()]);
    const messages = linesIn(join(folder, "moved-lines", "messages.jsonl"));
    expect(messages.find((message) => message.id === id)).toMatchObject({
      channel: "kitchen",
      reactions: [{ emoji: "+1", name: "Nora" }],
    });
    const channels = linesIn(join(folder, "moved-lines", "channels.jsonl"));
    expect(channels).toContainEqual({ id: stream_id, name: "kitchen" });
    expect(readFileSync(join(folder, "moved-pages", "index.html"), "utf8")).toContain("#kitchen");
    await world.close();
  });

  test("looks once for somebody who is gone, however many messages they have sent", async () => {
    const world = await makeWorld();
    const { operator } = world;
    await addManyMessages(world, 4_001);
    await write(operator, (tx) => tx.db.update(tx.t.messages).set({ senderId: 987_654 }));
    let uses = 0;
    const t = new Proxy(operator.reader.t, {
      get(tables, name) {
        if (name === "conversations") uses += 1;
        return Reflect.get(tables, name);
      },
    });
    const ctx = { ...operator, reader: { ...operator.reader, t } };
    const directory = await readDirectory(ctx);
    const usesPerRead = uses;
    const senders = [];
    for await (const page of readableMessages(ctx, directory)) senders.push(page[0]?.sender.name);
    expect(senders).toEqual(["User 987654", "User 987654", "User 987654"]);
    expect(uses).toBe(2 * usesPerRead);
    await world.close();
  });

  test("removes what killed exports have left in its folder, but nothing of one that still writes", async () => {
    const world = await makeWorld();
    const place = join(folder, "killed");
    mkdirSync(place);
    const [left, active] = [crypto.randomUUID(), crypto.randomUUID()].map(
      (id) => `pages.${id}.part`,
    );
    const [olga, other] = ["olga.part", "other"];
    for (const name of [left, active, olga, other])
      mkdirSync(join(place, `${name}`, "search"), { recursive: true });
    writeFileSync(join(place, `${active}`, "index.html"), "x");
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const name of [left, active, olga, other]) {
      utimesSync(join(place, `${name}`, "search"), longAgo, longAgo);
      utimesSync(join(place, `${name}`), longAgo, longAgo);
    }
    await exportReadable(world.operator, join(place, "pages"), "html", quietly);
    expect(readdirSync(place).toSorted()).toEqual([`${active}`, olga, other, "pages"].toSorted());
    await world.close();
  });

  test("refuses a name that is there, and leaves nothing of an export that was ended", async () => {
    const world = await makeWorld();
    await talk(world);
    expect(await outcomeOf(exportReadable(world.operator, folder, "html", quietly))).toThrow(
      "already exists",
    );
    const path = join(folder, "ended");
    const check = () => {
      throw new Error("ended");
    };
    expect(
      await outcomeOf(exportReadable(world.operator, path, "html", { ...quietly, check })),
    ).toThrow("ended");
    expect(readdirSync(folder).filter((name) => name.startsWith("ended"))).toEqual([]);
    await world.close();
  });
});
