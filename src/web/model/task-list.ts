import { indexOf, listOf, membersOf, textOf, type WidgetAction } from "./widget-data";

export interface Task {
  readonly key: string;
  readonly text: string;
  readonly description: string;
  readonly isDone: boolean;
}

/** A to-do list that people add tasks to and check off. */
export interface TaskList {
  readonly kind: "tasks";
  readonly title: string;
  readonly tasks: readonly Task[];
  /**
   * All keys that were ever used, including those of tasks that the list rejected. A new task never
   * gets one of them.
   */
  readonly givenKeys: ReadonlySet<string>;
}

/** A list as it was sent. The tasks that its message contains have no author. */
export function taskListFrom(given: unknown): TaskList {
  const { task_list_title: title, tasks } = membersOf(given);
  const empty: TaskList = {
    kind: "tasks",
    title: textOf(title),
    tasks: [],
    givenKeys: new Set(),
  };
  return listOf(tasks).reduce<TaskList>((list, value, index) => {
    const { task, desc } = membersOf(value);
    return withTask(list, {
      key: `${index},canned`,
      text: textOf(task),
      description: textOf(desc),
      isDone: false,
    });
  }, empty);
}

/**
 * In the key of a task the index comes first; in the key of a poll's option the person comes first.
 */
const keyOf = (senderId: number, index: number): string => `${index},${senderId}`;

/** A list after somebody's action. An invalid action changes nothing. */
export function applyToTasks(list: TaskList, action: WidgetAction): TaskList {
  const { senderId, isByAuthor, data } = action;
  switch (data["type"]) {
    case "new_task": {
      const index = indexOf(data["key"]);
      if (index === undefined) return list;
      return withTask(list, {
        key: keyOf(senderId, index),
        text: textOf(data["task"]),
        description: textOf(data["desc"]),
        isDone: data["completed"] === true,
      });
    }
    case "strike":
      return withStrike(list, textOf(data["key"]));
    case "new_task_list_title":
      return isByAuthor ? { ...list, title: textOf(data["title"]) } : list;
    default:
      return list;
  }
}

/** Tasks must differ in their texts and keys. If two are equal, the first one stays. */
function withTask(list: TaskList, task: Task): TaskList {
  const isTaken = list.tasks.some(({ key, text }) => key === task.key || text === task.text);
  const isMore = !isTaken && task.text.trim() !== "";
  return {
    ...list,
    tasks: isMore ? [...list.tasks, task] : list.tasks,
    givenKeys: new Set([...list.givenKeys, task.key]),
  };
}

const withStrike = (list: TaskList, key: string): TaskList => ({
  ...list,
  tasks: list.tasks.map((task) => (task.key === key ? { ...task, isDone: !task.isDone } : task)),
});

/** The action that checks a task off or unchecks it. */
export const strike = ({ key }: Task) => ({ type: "strike", key });

type NewTask = Pick<Task, "text" | "description">;

/**
 * The action that adds a task; undefined if the list already has it. Its index is at least `first`,
 * because tasks with lower indexes may be on their way to the server.
 */
export function addTask(list: TaskList, { text, description }: NewTask, me: number, first = 1) {
  const { tasks, givenKeys } = list;
  const trimmed = text.trim();
  if (trimmed === "" || tasks.some((task) => task.text === trimmed)) return undefined;
  let index = first;
  while (givenKeys.has(keyOf(me, index))) index += 1;
  const desc = description.trim();
  return { type: "new_task", key: index, task: trimmed, desc, completed: false };
}
