import { expect, test } from "bun:test";
import { readPlainServe } from "../cli/flags";
import { program } from "../cli/program";

const serveCommand = program.commands.find((command) => command.name() === "serve");
const known = serveCommand?.options ?? [];

test.each(known.map((option) => [option.long ?? "", option] as const))(
  "a plain serve understands %s as the whole command line does",
  (flag, option) => {
    const words = option.required ? [flag, "1"] : [flag];
    expect(readPlainServe(["serve", ...words])).toEqual({ [option.attributeName()]: option.required ? "1" : true });
  },
);

test("the last of two counts, and none is needed", () => {
  expect(readPlainServe(["serve", "--port", "1", "--json", "--port", "2"])).toEqual({ port: "2", json: true });
  expect(readPlainServe(["serve"])).toEqual({});
});

test.each([
  [[]],
  [["--version"]],
  [["admin", "jobs"]],
  [["serve", "--help"]],
  [["serve", "--port"]],
  [["serve", "--port=1"]],
  [["serve", "--port", "--json"]],
  [["serve", "--secret", "x"]],
  [["serve", "--"]],
  [["serve", "data"]],
])("%j is left to the whole command line", (words) => {
  expect(readPlainServe(words)).toBeUndefined();
});
