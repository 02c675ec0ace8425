import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeThumbnailPicture, pictureQueue } from "../../src/pictures/decode";
import { emojiForm, staticPng } from "../support/pictures";
import { until } from "../support/polls";
import { refusalOf } from "../support/refusal";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Pictures that stay at work until they are let go, and those of which work has begun. */
function slowPictures() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    make(whose: string, name: string) {
      const load = async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return staticPng;
      };
      return makeThumbnailPicture(whose, load, 16, 16);
    },
    /** Lets the one at work go. */
    end: () => ends.shift()?.(),
    get atWork() {
      return ends.length;
    },
  };
}

test("One picture is at work at a time, and people have it in turns, however many one of them brings", async () => {
  const pictures = slowPictures();
  const names = ["alice 1", "alice 2", "alice 3", "alice 4", "bob 1", "greta 1", "bob 2"];
  const made = names.map((name) => pictures.make(name.split(" ")[0] ?? "", name));
  const atWork: number[] = [];
  for (let done = 0; done < names.length; done++) {
    await until(() => pictures.begun.length > done);
    atWork.push(pictures.atWork);
    pictures.end();
  }
  await Promise.all(made);
  expect(atWork).toEqual(names.map(() => 1));
  expect(pictures.begun).toEqual([
    "alice 1",
    "alice 2",
    "bob 1",
    "greta 1",
    "alice 3",
    "bob 2",
    "alice 4",
  ]);
});

test("The line is bounded: who brings too many is told to come back, and there is a place for everybody else", async () => {
  const pictures = slowPictures();
  const let25In = Array.from({ length: 25 }, (_, index) =>
    pictures.make("alice", `alice ${index}`),
  );
  const refused = await refusalOf(pictures.make("alice", "one more"));
  expect([refused.status, refused.code, refused.data]).toEqual([
    503,
    "SERVER_BUSY",
    { "retry-after": 5 },
  ]);
  const bobs = pictures.make("bob", "bob");
  expect(pictureQueue.length).toBe(25);
  const all = Promise.all([...let25In, bobs]);
  await until(() => {
    pictures.end();
    return pictures.begun.length === 26 && pictures.atWork === 0;
  });
  await all;
  expect([pictures.begun[2], pictureQueue.length]).toEqual(["bob", 0]);
});

test("Bob's avatar waits for one of Alice's, not for all that she has sent before", async () => {
  const { alice, bob } = world;
  const pictures = slowPictures();
  const first = pictures.make("somebody", "first");
  const answered: string[] = [];
  const upload = async (person: Person, name: string) => {
    const { status } = await person.ask(
      "POST",
      "/users/me/avatar",
      {},
      { body: emojiForm(staticPng, "me.png") },
    );
    answered.push(`${name} ${status}`);
  };
  const alices = Array.from({ length: 4 }, () => upload(alice, "alice"));
  await until(() => pictureQueue.length === 4);
  const bobs = upload(bob, "bob");
  await until(() => pictureQueue.length === 5);
  pictures.end();
  await Promise.all([first, ...alices, bobs]);
  expect(answered.toSorted()).toEqual([...Array(4).fill("alice 200"), "bob 200"]);
  expect(answered.indexOf("bob 200")).toBeLessThanOrEqual(2);
});

test("a file that the disk does not give is no bad picture, and the next one has its turn", async () => {
  const failure = Object.assign(new Error("i/o error, read"), { code: "EIO" });
  const unread = makeThumbnailPicture("a", () => Promise.reject(failure), 16, 16);
  expect(await unread.catch((error: unknown) => error)).toBe(failure);
  const broken = makeThumbnailPicture("a", async () => Buffer.from("no picture"), 16, 16);
  expect((await refusalOf(broken)).code).toBe("BAD_IMAGE");
  expect((await makeThumbnailPicture("a", async () => staticPng, 16, 16)).length).toBeGreaterThan(
    0,
  );
});
