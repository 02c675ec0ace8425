import { expect, test } from "bun:test";
import { checkContent } from "../../src/moving/check/check";
import { upload } from "../support/files";
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
