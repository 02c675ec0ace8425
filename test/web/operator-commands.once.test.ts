import { expect, test } from "bun:test";
import { wholeProgram } from "../../cli/program";
import { operatorCommands } from "../../src/web/settings/operator-commands";
import { settings } from "../../src/web/words/en/settings";
import { commandsIn, problemOf } from "../support/processes/command-line";

/* Commands that the settings of the web client name. */

test("each task has a command, which exists and takes these words", async () => {
  const program = await wholeProgram();
  const wrong = operatorCommands.flatMap(([, line]) => {
    const [command, ...others] = commandsIn(line);
    if (!command || others.length > 0) return [`${line}: it is no single command`];
    return problemOf(program, command) ?? [];
  });
  expect(wrong).toEqual([]);
  expect(operatorCommands.map(([task]) => task).sort()).toEqual(
    Object.keys(settings.organization.tasks).sort() as never,
  );
});
