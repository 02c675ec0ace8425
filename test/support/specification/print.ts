import { listOf } from "./coverage";
import { later } from "./later";
import { findRows } from "./rows";

/** `make specification`: each row of the specification and the test that shows it. */
const rows = findRows();
if (!rows) {
  console.error("The specification is not here: ../shared/spec/seed.md.");
  process.exit(1);
}
console.log(listOf(rows));
const count = Object.values(later).flat().length;
console.error(`${rows.length} rows, ${count} of them later (${Object.keys(later).join(", ")}).`);
