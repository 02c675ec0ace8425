import { grouped, plural } from "./counts";

/** Words of polls and to-do lists. */
export const widgets = {
  add: "Add",
  andMore: (count: number) => `and ${grouped(count)} more`,
  changeQuestion: "Change the question",
  changeTitle: "Change the title",
  description: "Description (optional)",
  kind: "Kind",
  make: "New poll or to-do list",
  optionLines: "Answers, one per line",
  taskLines: "Tasks, one per line; a description may follow after a colon",
  taskList: "To-do list",
  isThere: "This is already in the list.",
  newOption: "Another answer",
  newTask: "Another task",
  noQuestion: "Poll",
  noTitle: "To do",
  poll: (question: string) => `Poll: ${question}`,
  question: "Question",
  save: "Save",
  tasks: (title: string) => `To-do list: ${title}`,
  title: "Title",
  votes: (option: string, count: number) =>
    `${option}: ${plural.select(count) === "one" ? "1 vote" : `${grouped(count)} votes`}`,
};
