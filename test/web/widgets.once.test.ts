import { describe, expect, test } from "bun:test";
import { written } from "../../src/web/model/new-widget";
import { placesToRun } from "../../src/web/model/playgrounds";
import { addOption, type Poll, voteFor } from "../../src/web/model/poll";
import { addTask, strike, type TaskList } from "../../src/web/model/task-list";
import { strikesOf, widgetOf } from "../../src/web/model/widget";

const [alice, bob] = [4, 5];

interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

const submessage = (id: number, sender_id: number, data: unknown): Submessage => ({
  id,
  message_id: 1,
  sender_id,
  msg_type: "widget",
  content: JSON.stringify(data),
});

const pollOf = (question: string, options: string[]) =>
  submessage(1, alice, { widget_type: "poll", extra_data: { question, options } });
const tasksOf = (task_list_title: string, ...tasks: string[]) =>
  submessage(1, alice, {
    widget_type: "todo",
    extra_data: { task_list_title, tasks: tasks.map((task) => ({ task, desc: "" })) },
  });

/** A poll of alice's, as its submessages make it. */
function poll(submessages: readonly Submessage[]): Poll {
  const widget = widgetOf({ sender_id: alice, submessages: [...submessages] });
  if (widget?.kind !== "poll") throw new Error("This is no poll.");
  return widget;
}

function taskList(submessages: readonly Submessage[]): TaskList {
  const widget = widgetOf({ sender_id: alice, submessages: [...submessages] });
  if (widget?.kind !== "tasks") throw new Error("This is no to-do list.");
  return widget;
}

/** Numbers below a bound, which a seed decides. */
function numbersOf(seed: number) {
  let state = seed;
  return (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

/** A list with its members in another order, by a number for each. */
const shuffled = <One>(list: readonly One[], next: (bound: number) => number): One[] =>
  list
    .map((one) => ({ one, at: next(1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ one }) => one);

const runs = Array.from({ length: 200 }, (_, seed) => seed + 1);
const steps = 25;

describe("polls", () => {
  test("hold the options of their message, and those that others add", () => {
    const first = pollOf("Lunch?", ["Soup", "Rice"]);
    const added = addOption(poll([first]), " Salad ", bob);
    expect(added).toEqual({ type: "new_option", option: "Salad", idx: 1 });
    const after = poll([first, submessage(2, bob, added)]);
    expect(after.options).toEqual([
      { key: "canned,0", text: "Soup", voters: [] },
      { key: "canned,1", text: "Rice", voters: [] },
      { key: "5,1", text: "Salad", voters: [] },
    ]);
    expect(addOption(after, "Soup", bob)).toBeUndefined();
    expect(addOption(after, "  ", bob)).toBeUndefined();
  });

  test("have of two options with one key the later, without the votes for the first, as in Zulip", () => {
    const add = (id: number, option: string) =>
      submessage(id, bob, { type: "new_option", option, idx: 1 });
    const vote = submessage(3, alice, voteFor("5,1", true));
    const before = [pollOf("Lunch?", []), add(2, "Salad"), vote];
    expect(poll(before).options).toEqual([{ key: "5,1", text: "Salad", voters: [alice] }]);
    expect(poll([...before, add(4, "Salad")]).options).toEqual(poll(before).options);
    expect(poll([...before, add(4, "Rice")]).options).toEqual([
      { key: "5,1", text: "Rice", voters: [] },
    ]);
  });

  test("have each text once, under the key that came first, as in Zulip", () => {
    const first = pollOf("Lunch?", ["Soup", "Rice", "Soup"]);
    const add = (id: number, sender: number, option: string, idx = 1) =>
      submessage(id, sender, { type: "new_option", option, idx });
    const vote = submessage(5, alice, voteFor("5,1", true));
    const log = [first, add(2, alice, "Salad"), add(3, bob, "Salad"), add(4, bob, "Rice", 2), vote];
    const soupRiceSalad = [
      { key: "canned,0", text: "Soup", voters: [] },
      { key: "canned,1", text: "Rice", voters: [] },
      { key: "4,1", text: "Salad", voters: [] },
    ];
    expect(poll(log).options).toEqual(soupRiceSalad);
    // An option does not take a text that another one has, either.
    const cake = { key: "5,1", text: "Cake", voters: [] };
    const more = [...log, add(6, bob, "Cake"), add(7, bob, "Salad")];
    expect(poll(more).options).toEqual([...soupRiceSalad, cake]);
  });

  test("change their question for their author alone", () => {
    const first = pollOf("Lunch?", []);
    const by = (id: number, sender: number) =>
      submessage(id, sender, { type: "question", question: `of ${sender}` });
    expect(poll([first, by(2, bob)]).question).toBe("Lunch?");
    expect(poll([first, by(2, bob), by(3, alice)]).question).toBe("of 4");
  });

  test("are whole where data is none that a client of ours writes", () => {
    const first = pollOf("Lunch?", ["Soup"]);
    const odd = [
      null,
      [],
      "vote",
      { type: "vote", key: 7, vote: 1 },
      { type: "vote", key: "canned,9", vote: 1 },
      { type: "new_option", option: { a: 1 }, idx: 1 },
      { type: "new_option", option: "x", idx: -1 },
      { type: "__proto__" },
    ].map((data, index) => submessage(index + 2, bob, data));
    const broken = { ...submessage(99, bob, {}), content: "{" };
    expect(poll([first, ...odd, broken])).toEqual(poll([first]));
    expect(widgetOf({ sender_id: alice, submessages: [broken] })).toBeUndefined();
    expect(widgetOf({ sender_id: alice, submessages: [] })).toBeUndefined();
  });

  test.each(runs)(
    "are one for two people who act at once, in whatever order they hear (%i)",
    (seed) => {
      const next = numbersOf(seed);
      const log = [pollOf("Lunch?", ["Soup", "Rice"])];
      // Each acts on what they have heard of, which is less than what the server has.
      const heard = { [alice]: [...log], [bob]: [...log] };
      const votes = new Map<string, { text: string; isFor: boolean }>();
      for (let id = 2; id < steps; id += 1) {
        const actor = next(2) === 0 ? alice : bob;
        const seen = poll(heard[actor] ?? []);
        const option = seen.options[next(seen.options.length)];
        const action =
          next(4) === 0
            ? addOption(seen, `option ${next(6)}`, actor)
            : option && voteFor(option.key, !option.voters.includes(actor));
        if (option && action && "key" in action)
          votes.set(`${action.key} ${actor}`, { text: option.text, isFor: action.vote === 1 });
        if (action) log.push(submessage(id, actor, action));
        if (action) heard[actor] = [...(heard[actor] ?? []), log.at(-1) ?? pollOf("", [])];
        if (next(3) === 0) heard[next(2) === 0 ? alice : bob] = shuffled(log, next);
      }
      const whole = poll(log);
      expect(poll(shuffled(log, next))).toEqual(whole);
      const given = whole.options.flatMap(({ key, voters }) => voters.map((id) => `${key} ${id}`));
      // Options that somebody else had added before are none, and neither are votes for them.
      const kept = new Set(whole.options.map(({ key, text }) => `${key} ${text}`));
      const expected = [...votes]
        .filter(([vote, { text, isFor }]) => isFor && kept.has(`${vote.split(" ")[0]} ${text}`))
        .map(([vote]) => vote);
      expect(given.sort()).toEqual(expected.sort());
      for (const part of ["key", "text"] as const)
        expect(new Set(whole.options.map((one) => one[part])).size).toBe(whole.options.length);
    },
  );
});

describe("to-do lists", () => {
  test("hold the tasks of their message, and those that others add and check off", () => {
    const first = tasksOf("Release", "Notes", "Tag");
    const added = addTask(taskList([first]), { text: "Bake", description: " a cake " }, bob);
    expect(added).toEqual({
      type: "new_task",
      key: 1,
      task: "Bake",
      desc: "a cake",
      completed: false,
    });
    const log = [first, submessage(2, bob, added)];
    const [notes, , bake] = taskList(log).tasks;
    expect([notes?.key, bake?.key]).toEqual(["0,canned", "1,5"]);
    if (!bake) throw new Error("The task is missing.");
    const after = taskList([...log, submessage(3, alice, strike(bake))]);
    expect(after.tasks.map(({ text, isDone }) => [text, isDone])).toEqual([
      ["Notes", false],
      ["Tag", false],
      ["Bake", true],
    ]);
    expect(addTask(after, { text: "Tag", description: "" }, alice)).toBeUndefined();
  });

  test("tell how often somebody has struck a task, and what the last time has done", () => {
    const first = tasksOf("Release", "Notes", "Tag");
    const [notes] = taskList([first]).tasks;
    if (!notes) throw new Error("The task is missing.");
    const strikes = [alice, bob, alice].map((sender, index) =>
      submessage(index + 2, sender, strike(notes)),
    );
    const after = (count: number, person: number) =>
      strikesOf(
        { sender_id: alice, submessages: [first, ...strikes.slice(0, count)] },
        notes.key,
        person,
      );
    expect(after(0, bob)).toEqual({ count: 0, isDone: false });
    expect(after(1, alice)).toEqual({ count: 1, isDone: true });
    // Bob's has undone hers, which had been done by then.
    expect(after(2, alice)).toEqual({ count: 1, isDone: true });
    expect(after(2, bob)).toEqual({ count: 1, isDone: false });
    expect(after(3, alice)).toEqual({ count: 2, isDone: true });
  });

  test("have one of two tasks with one text, as in other clients, and a title of their author's", () => {
    const twice = [bob, alice].map((sender, index) =>
      submessage(index + 2, sender, {
        type: "new_task",
        key: 1,
        task: "Tag",
        desc: "",
        completed: false,
      }),
    );
    const titles = [bob, alice].map((sender, index) =>
      submessage(index + 4, sender, { type: "new_task_list_title", title: `of ${sender}` }),
    );
    const list = taskList([tasksOf("Release"), ...twice, ...titles]);
    expect(list.tasks.map(({ key }) => key)).toEqual(["1,5"]);
    expect(list.title).toBe("of 4");
  });

  test.each(runs)(
    "are one for two people who act at once, in whatever order they hear (%i)",
    (seed) => {
      const next = numbersOf(seed);
      const log = [tasksOf("Release", "Notes", "Tag")];
      const heard = { [alice]: [...log], [bob]: [...log] };
      const strikes = new Map<string, number>();
      for (let id = 2; id < steps; id += 1) {
        const actor = next(2) === 0 ? alice : bob;
        const seen = taskList(heard[actor] ?? []);
        const task = seen.tasks[next(seen.tasks.length)];
        const action =
          next(3) === 0
            ? addTask(seen, { text: `task ${next(6)}`, description: "" }, actor)
            : task && strike(task);
        if (action) log.push(submessage(id, actor, action));
        if (action) heard[actor] = [...(heard[actor] ?? []), log.at(-1) ?? tasksOf("")];
        if (action?.type === "strike")
          strikes.set(String(action.key), (strikes.get(String(action.key)) ?? 0) + 1);
        if (next(3) === 0) heard[next(2) === 0 ? alice : bob] = shuffled(log, next);
      }
      const whole = taskList(log);
      expect(taskList(shuffled(log, next))).toEqual(whole);
      expect(new Set(whole.tasks.map(({ text }) => text)).size).toBe(whole.tasks.length);
      for (const { key, isDone } of whole.tasks)
        expect([key, isDone]).toEqual([key, (strikes.get(key) ?? 0) % 2 === 1]);
    },
  );
});

test("code is run where its language can be, at an address that opens a page", () => {
  const playground = (name: string, pygments_language: string, url_template: string) => ({
    id: 1,
    name,
    pygments_language,
    url_template,
  });
  const all = [
    playground("Play", "Rust", "https://play.example/?code={code}"),
    playground("Other", "Rust", "https://other.example/{?code}"),
    playground("Script", "Rust", "javascript:{code}"),
    playground("Snake", "Python", "https://snake.example/#{code}"),
  ];
  const code = 'fn main() { println!("a & b"); }';
  expect(placesToRun(all, "rust", code)).toEqual([
    { name: "Play", address: `https://play.example/?code=${encodeURIComponent(code)}` },
    { name: "Other", address: `https://other.example/?code=${encodeURIComponent(code)}` },
  ]);
  expect(placesToRun(all, undefined, code)).toEqual([]);
});

test("A poll that is written has each answer once, a to-do list all of its tasks", () => {
  const lines = "Pizza\n Sushi \n\nPizza";
  expect(written("poll", " Where? ", lines)).toBe("/poll Where?\nPizza\nSushi");
  expect(written("todo", "", lines)).toBe("/todo\nPizza\nSushi\nPizza");
});
