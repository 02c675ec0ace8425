import { isoTime } from "../../src/core/clock";
import type { ListedJob } from "../../src/jobs/list";
import { figure } from "../../src/moving/figures/figure";
import { isAgreed } from "../consent";
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
  const wanted = readIds(ids);
  requireData(options);
  const jobs = await withApp(options, (app) => app.jobs.retry(wanted));
  printResult(options, { jobs }, [`Will be tried again now: ${idsOf(jobs)}.`]);
}

/** `chatd admin jobs delete ID… [--yes] [--dry-run]` */
export async function deleteJobs(given: string[], options: CommonOptions) {
  const ids = readIds(given);
  requireData(options);
  const jobs = await withApp(options, async (app) => {
    const all = await app.jobs.list();
    const wanted = ids.flatMap((id) => all.find((job) => job.id === id) ?? []);
    const missing = ids.find((id) => !wanted.some((job) => job.id === id));
    if (missing !== undefined) return app.jobs.remove([missing]);
    const failed = wanted.filter(({ state }) => state === "failed");
    const plan = {
      act: `delete ${wanted.length === 1 ? "the job" : "the jobs"} ${idsOf(wanted)}`,
      name: ids.join(" "),
      figures: [
        figure("jobs", wanted.length, "job is never done", "jobs are never done"),
        figure(
          "failed",
          failed.length,
          "of them has failed already",
          "of them have failed already",
        ),
      ],
    };
    return (await isAgreed(options, plan)) ? app.jobs.remove(ids) : undefined;
  });
  if (!jobs) return;
  printResult(options, { jobs }, [`Deleted: ${idsOf(jobs)}.`]);
}

const idsOf = (jobs: readonly ListedJob[]) =>
  jobs.map(({ id, name }) => `${id} (${name})`).join(", ");

const readIds = (given: readonly string[]): number[] => [
  ...new Set(
    given.map((text) => {
      if (/^\d{1,15}$/.test(text)) return Number(text);
      throw new UsageError(`The ID of a job is a number: ${text} is not a number.`);
    }),
  ),
];
