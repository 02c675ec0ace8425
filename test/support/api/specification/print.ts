import { listOf } from "./coverage";
import { findRows } from "./rows";

/** `make specification`: each row of the specification and the test that shows it. */
const rows = findRows();
console.log(listOf(rows));
console.error(`${rows.length} rows.`);
