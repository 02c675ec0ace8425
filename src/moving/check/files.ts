import { and, asc, eq, gt } from "drizzle-orm";
import type { App } from "../../core/context";
import type { Finding, Progress } from "./check";
import { checkPictures } from "./pictures";

const rowsPerPage = 200;
const shownMax = 20;
const whatToDo =
  "Put the file back from a backup of the data folder or of the S3 bucket, or have its owner remove it and upload it again.";

/**
 * Checks that each uploaded file exists with its full size, and each picture. Without `namesAll`,
 * the first findings are followed by one that counts the others.
 */
export async function checkFiles(
  { engine, files }: Pick<App, "engine" | "files">,
  realmId: number,
  progress: Progress,
  { namesAll = false } = {},
): Promise<Finding[]> {
  const findings = [
    ...(await checkUploads({ engine, files }, realmId, progress)),
    ...(await checkPictures({ engine, files }, realmId)),
  ];
  return namesAll ? findings : shortened(findings, realmId);
}

async function checkUploads(
  { engine, files }: Pick<App, "engine" | "files">,
  realmId: number,
  progress: Progress,
): Promise<Finding[]> {
  const { db, t } = engine.reader;
  const { attachments: a } = t;
  const findings: Finding[] = [];
  for (let [after, checkedCount] = [0, 0]; ; ) {
    const rows = await db
      .select({ id: a.id, pathId: a.pathId, sizeBytes: a.sizeBytes })
      .from(a)
      .where(and(eq(a.realmId, realmId), gt(a.id, after)))
      .orderBy(asc(a.id))
      .limit(rowsPerPage);
    const last = rows.at(-1);
    if (!last) return findings;
    for (const { id, pathId, sizeBytes } of rows) {
      const found = (await files.find(pathId.split("/").slice(0, 2).join("/")))?.size;
      if (found === sizeBytes || !(await isStillThere(id))) continue;
      const what =
        found === undefined ? "is missing" : `has ${found} instead of ${sizeBytes} bytes`;
      findings.push({
        part: "files",
        what: `realm ${realmId}: ${pathId} ${what}`,
        whatToDo,
        isOfIndex: false,
      });
    }
    after = last.id;
    checkedCount += rows.length;
    progress("Files", checkedCount);
  }

  async function isStillThere(id: number): Promise<boolean> {
    const rows = await db
      .select({ id: a.id })
      .from(a)
      .where(and(eq(a.realmId, realmId), eq(a.id, id)));
    return rows.length > 0;
  }
}

function shortened(findings: readonly Finding[], realmId: number): Finding[] {
  const shown = findings.slice(0, shownMax);
  const more = findings.length - shown.length;
  if (more === 0) return shown;
  const what =
    more === 1 ? "1 more file is missing or has" : `${more} more files are missing or have`;
  const rest: Finding = {
    part: "files",
    what: `realm ${realmId}: ${what} another size`,
    whatToDo: "Name all of them: chatd admin check --all.",
    isOfIndex: false,
  };
  return [...shown, rest];
}
