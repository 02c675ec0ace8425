import { expect, test } from "bun:test";
import { afterOthers } from "../../src/web/store/one-tab";
import { outcomeOf } from "../support/outcome";

test("without locks what runs under one name runs one after the other, also after a failure", async () => {
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = afterOthers("drafts", async () => {
    steps.push("first begins");
    await gate.promise;
    steps.push("first ends");
    throw new Error("It did not work.");
  });
  const second = afterOthers("drafts", async () => {
    steps.push("second");
  });
  await afterOthers("outbox", async () => {
    steps.push("another name");
  });
  gate.resolve();
  expect(await outcomeOf(first)).toThrow("It did not work.");
  await second;
  expect(steps).toEqual(["first begins", "another name", "first ends", "second"]);
});
