import { describe, expect, test } from "bun:test";
import {
  applyFiles,
  bytesOfFiles,
  filesFrom,
  filesNamed,
  sizeText,
} from "../../src/web/model/files";
import type { Event } from "../../src/web/model/wire";

const file = (id: number, name: string, size = 10) => ({
  id,
  name,
  path_id: `2/x/${name}`,
  size,
  create_time: 1,
  message_ids: [],
});
const own = filesFrom({
  attachments: [file(1, "Plan.txt"), file(2, "cat.png")],
  upload_space_used: 50,
});
const event = (event: unknown) => event as Event;

describe("one's own files", () => {
  test("are found by a part of their names", () => {
    expect(filesNamed(own, " plan", "newest").map(({ id }) => id)).toEqual([1]);
    expect(bytesOfFiles(own)).toBe(20);
  });

  test.each([
    ["newest", [4, 3, 2, 1]],
    ["oldest", [1, 2, 3, 4]],
    ["largest", [3, 4, 2, 1]],
    ["name", [2, 4, 3, 1]],
  ] as const)("are in the order %s", (order, ids) => {
    const more = filesFrom({
      attachments: [...own.files.values(), file(3, "notes", 30), file(4, "İstanbul", 20)],
      upload_space_used: 50,
    });
    expect(filesNamed(more, "", order).map(({ id }) => id)).toEqual([...ids]);
  });

  test("follow their events", () => {
    const added = applyFiles(
      own,
      event({ type: "attachment", op: "add", attachment: file(3, "new"), upload_space_used: 60 }),
    );
    expect([added.files.size, added.usedBytes]).toEqual([3, 60]);
    const removed = applyFiles(
      added,
      event({ type: "attachment", op: "remove", attachment: { id: 1 }, upload_space_used: 5 }),
    );
    expect([[...removed.files.keys()], removed.usedBytes]).toEqual([[2, 3], 5]);
    expect(applyFiles(own, event({ type: "heartbeat" }))).toBe(own);
  });

  test.each([
    [0, "0 B"],
    [1_023, "1,023 B"],
    [1_024, "1 KiB"],
    [1_536, "1.5 KiB"],
    [10 * 1_048_576, "10 MiB"],
    [5 * 1_073_741_824, "5 GiB"],
  ])("of %i bytes are %s large", (bytes, text) => {
    expect(sizeText(bytes, "en")).toBe(text);
  });
});
