import { isoTime } from "../../src/core/clock";
import type { ListedJob } from "../../src/jobs/list";
import { requireData, withApp } from "../operator";
import type { CommonOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";

/** `chatd admin jobs list [--failed]` */
export async function listJobs(options: CommonOptions & { failed?: boolean }) {
  requireData(options);
  const jobs = await withApp(options, (app) =>
    app.jobs.list({ onlyFailed: options.failed ?? false }),
  );
  const rows = jobs.map((job) => [
    String(job.id),
    job.realm,
    job.name,
    job.key ?? "",
    job.state,
    String(job.attempts),
    job.due_at === null ? "" : isoTime(job.due_at),
    job.last_error ?? "",
  ]);
  const headings = ["ID", "ORGANIZATION", "JOB", "KEY", "STATE", "ATTEMPTS", "DUE", "LAST ERROR"];
  printResult(options, { jobs }, formatTable(headings, rows));
}

/** `chatd admin jobs retry ID…` */
export async function retryJobs(ids: string[], options: CommonOptions) {
  const jobs = await change("retry", ids, options);
  printResult(options, { jobs }, [`Will be tried again now: ${idsOf(jobs)}.`]);
}

/** `chatd admin jobs delete ID…` */
export async function deleteJobs(ids: string[], options: CommonOptions) {
  const jobs = await change("remove", ids, options);
  printResult(options, { jobs }, [`Deleted: ${idsOf(jobs)}.`]);
}

const idsOf = (jobs: readonly ListedJob[]) =>
  jobs.map(({ id, name }) => `${id} (${name})`).join(", ");

async function change(
  what: "retry" | "remove",
  given: string[],
  options: CommonOptions,
): Promise<ListedJob[]> {
  requireData(options);
  const ids = given.map((text) => {
    if (!/^\d{1,15}$/.test(text))
      throw new UsageError(`The ID of a job is a number: ${text} is none.`);
    return Number(text);
  });
  return withApp(options, (app) => app.jobs[what](ids));
}
