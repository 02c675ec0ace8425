import { listOf } from "./coverage";
import { findRows } from "./rows";

/** `make specification`: each row of the specification and the test that shows it. */
const rows = findRows();
if (!rows) {
  console.error("The specification is not here: ../shared/spec/seed.md.");
  process.exit(1);
}
console.log(listOf(rows));
console.error(`${rows.length} rows.`);
