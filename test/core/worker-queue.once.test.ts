import { afterEach, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { FairQueue } from "../../src/core/turns/fair-queue";
import { WorkerLostError, WorkerQueue } from "../../src/core/turns/worker-queue";
import { outcomeOf } from "../support/outcome";

const full = () => new Error("full");
const path = join(import.meta.dir, "../support/processes/moody-worker.ts");
const options = { path, waitingMax: 8, refusal: full, jobMsMax: 10_000, idleMs: 10_000 };

const open: WorkerQueue<string, string>[] = [];
afterEach(() => {
  for (const queue of open) queue.end();
});

function queueWith(more: Partial<typeof options>) {
  const queue = new WorkerQueue<string, string>({ ...options, ...more });
  open.push(queue);
  return queue;
}

/** Work that ends when it is told to, and what was begun so far. */
function gates() {
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => releases.push(() => resolve(name)));
  };
  return { begun, work, release: () => releases.shift()?.() };
}

test("One piece is done at a time, in turns of those whom it is for", async () => {
  const queue = new FairQueue<string>(16, full);
  const { begun, work, release } = gates();
  const all = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) =>
    queue.take(name.charAt(0), work(name)),
  );
  for (const one of ["a1", "a2", "b1", "c1", "a3", "b2"]) {
    while (begun.at(-1) !== one) await Promise.resolve();
    release();
  }
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "c1", "b2"]);
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("However much one brings, there is a place for everybody else, until there is none at all", async () => {
  const queue = new FairQueue<string>(16, full);
  const { work, release } = gates();
  const takes = (key: string) => {
    try {
      void queue.take(key, work(key));
      return true;
    } catch {
      return false;
    }
  };
  const countOf = (key: string) =>
    Array.from({ length: 40 }, () => takes(key)).filter(Boolean).length;
  expect(countOf("a")).toBe(9);
  expect(countOf("b")).toBe(4);
  expect([countOf("c"), countOf("d"), countOf("e"), countOf("f")]).toEqual([2, 1, 1, 0]);
  release();
});

test("Work that fails fails alone, also where it fails before it has begun", async () => {
  const queue = new FairQueue<string>(4, full);
  const never = queue.take("b", () => {
    throw new Error("no thread");
  });
  const failing = queue.take("a", async () => {
    throw new Error("no");
  });
  const good = queue.take("a", async () => "yes");
  expect(await Promise.allSettled([never, failing, good])).toMatchObject([
    { status: "rejected", reason: { message: "no thread" } },
    { status: "rejected", reason: { message: "no" } },
    { status: "fulfilled", value: "yes" },
  ]);
});

test("A thread that breaks down, ends or hangs loses its job alone: the next ones have a new thread", async () => {
  const queue = queueWith({ jobMsMax: 500 });
  expect(await queue.run("a", "x")).toBe("xx");
  for (const mood of ["break", "end", "hang"]) {
    const [bad, good] = [queue.run("a", mood), queue.run("b", "y")];
    expect(await outcomeOf(bad)).toThrow(WorkerLostError);
    expect(await good).toBe("yy");
  }
});

test("A thread that cannot be started or given its job loses that job, and the next one is done", async () => {
  const lost = queueWith({ path: join(import.meta.dir, "../support/no-such-worker.ts") });
  for (const job of ["x", "y"])
    expect(await outcomeOf(lost.run("a", job))).toThrow(WorkerLostError);
  const queue = queueWith({});
  const post = spyOn(Worker.prototype, "postMessage").mockImplementationOnce(() => {
    throw new Error("no room");
  });
  expect(await outcomeOf(queue.run("a", "x"))).toThrow("no room");
  post.mockRestore();
  expect(await queue.run("a", "y")).toBe("yy");
});

test("A thread that ends between two jobs is forgotten: the next job has a new one", async () => {
  const queue = queueWith({});
  expect(await queue.run("a", "leave")).toBe("leaveleave");
  while (queue.isStarted) await new Promise((resolve) => setImmediate(resolve));
  expect(await queue.run("a", "y")).toBe("yy");
});

test("A thread without a job ends, and another one does the next job", async () => {
  const queue = queueWith({ idleMs: 1 });
  expect(await queue.run("a", "x")).toBe("xx");
  while (queue.isStarted) await new Promise((resolve) => setImmediate(resolve));
  expect(await queue.run("a", "y")).toBe("yy");
});

test("Jobs for which there is no place are refused", async () => {
  const queue = queueWith({ waitingMax: 1 });
  const [first, second] = [queue.run("a", "x"), queue.run("b", "y")];
  expect(() => queue.run("c", "z")).toThrow("full");
  expect(await Promise.all([first, second])).toEqual(["xx", "yy"]);
});
