import type { FlaggedMessage } from "../model/message";
import { addTask, type TaskList } from "../model/task-list";
import { me } from "../store/state";
import { widgetWords } from "../words/widgets";
import { act, addUnder, firstIndex } from "./act";
import { AddForm, Title } from "./fields";
import { isDone, strikeTask } from "./strike";

interface TaskListProps {
  message: FlaggedMessage;
  list: TaskList;
}

/** A to-do list. Everybody may check off its tasks. */
export function TaskListView({ message, list }: TaskListProps) {
  const { title, tasks } = list;
  const isMine = message.sender_id === me.value;
  return (
    <section class="rendered widget" aria-label={widgetWords.tasks(title || widgetWords.noTitle)}>
      <Title
        id={`${message.id} title`}
        text={title}
        fallback={widgetWords.noTitle}
        change={isMine ? { label: widgetWords.title, open: widgetWords.changeTitle } : undefined}
        save={(text) => act(message, { type: "new_task_list_title", title: text })}
      />
      <ul>
        {tasks.map((task) => (
          <li key={task.key}>
            <label class={isDone(message, task) ? "task done" : "task"}>
              <input
                type="checkbox"
                checked={isDone(message, task)}
                onChange={() => void strikeTask(message, task)}
              />
              <span>
                <span dir="auto">{task.text}</span>
                {task.description !== "" && <small dir="auto">{task.description}</small>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <AddForm
        id={`${message.id} task`}
        label={widgetWords.newTask}
        more={widgetWords.description}
        add={(text, description) => {
          const action = addTask(list, { text, description }, me.value, firstIndex(message));
          return action && addUnder(action.key, message, action);
        }}
      />
    </section>
  );
}
