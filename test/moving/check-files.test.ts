import { expect, test } from "bun:test";
import { checkContent } from "../../src/moving/check/check";
import { namedPictures } from "../../src/moving/check/pictures";
import { formOf, upload } from "../support/files";
import { staticPng } from "../support/pictures";
import { makeWorld } from "../support/world";

test("A check names the first 20 missing files and counts the others, or names all on request", async () => {
  const world = await makeWorld();
  const { app, alice } = world;
  for (let number = 0; number < 23; number++) {
    const url = await upload(alice, `${number}.txt`);
    await app.files.remove(url.split("/").slice(2, 4).join("/"));
  }
  const quiet = () => undefined;
  const some = await checkContent(app, quiet);
  expect(some).toHaveLength(21);
  expect(some.at(-1)).toMatchObject({
    what: `realm ${world.realm.id}: 3 more files are missing or have another size`,
    whatToDo: expect.stringContaining("chatd admin check --all"),
  });
  const all = await checkContent(app, quiet, { namesAll: true });
  expect(all.map(({ what }) => what)).toEqual(
    Array.from({ length: 23 }, (_, number) => expect.stringContaining(`/${number}.txt is missing`)),
  );
  await world.close();
});

test("A check names the missing pictures of people, emoji and the organization", async () => {
  const world = await makeWorld();
  const { app, alice, olga, realm } = world;
  const picture = () => ({ body: formOf("a.png", staticPng) });
  for (const name of ["parrot", "raven"])
    expect((await olga.ask("POST", `/realm/emoji/${name}`, {}, picture())).status).toBe(200);
  expect((await alice.ask("POST", "/users/me/avatar", {}, picture())).status).toBe(200);
  expect((await olga.ask("POST", "/realm/icon", {}, picture())).status).toBe(200);
  expect(await checkContent(app, () => undefined)).toEqual([]);
  for (const picture of await namedPictures(app.engine.reader, realm.id))
    if (picture.of !== "the emoji raven") await app.files.remove(picture.key);
  const found = await checkContent(app, () => undefined);
  expect(found.map(({ what }) => / of (.*) is missing/.exec(what)?.[1])).toEqual([
    `user ${alice.id}`,
    "the emoji parrot",
    "the organization",
  ]);
  await world.close();
});
