import { expect, test } from "bun:test";
import { filePlaces, isPlaceOf } from "../../src/web/store/file-places";
import { compose as german } from "../../src/web/words/de/compose";
import { compose as english } from "../../src/web/words/en/compose";

/* A line that holds a file's place may be older than the language in which the page is now. */

test.each([
  ["English", english],
  ["German", german],
])("a file's place is known in a text that an earlier page wrote in %s", (_, words) => {
  const line = `[${words.uploading("plan.txt", 3)}]()`;
  const places = filePlaces(`Our plan:\n${line}\nand more`);
  expect(places).toEqual([expect.objectContaining({ line })]);
  for (const place of places) {
    expect(place.name).toContain("plan.txt");
    expect([isPlaceOf(place, "plan.txt"), isPlaceOf(place, "other.txt")]).toEqual([true, false]);
  }
});

test("links and words alone are no places of files", () => {
  expect(
    filePlaces("[plan (3)…](/user_uploads/1/plan.txt) [empty]() [x]() (3)… [y (3)]()"),
  ).toEqual([]);
});
