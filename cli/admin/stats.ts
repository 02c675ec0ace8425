import type { OrganizationFigures } from "../../src/moving/figures/organization";
import { readServerFigures, type ServerFigures } from "../../src/moving/figures/server";
import { requireData, withApp } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";

/** `chatd admin stats [--realm HOST]`: statistics of the whole server, or of one organization. */
export async function showStats(options: RealmOptions) {
  requireData(options);
  const server = await withApp(options, (app) => readServerFigures(app, options.realm));
  const rows = [...rowsOf(server), ...rowsOfSizes(server)];
  printResult(options, dataOf(server), formatTable(["WHAT", "HOW MUCH", ""], rows));
}

const dataOf = ({ hosts, figures, database, databaseLog, searchIndex }: ServerFigures) => ({
  organizations: hosts,
  people: figures.people,
  active_people: figures.activePeople,
  bots: figures.bots,
  active_bots: figures.activeBots,
  messages: figures.messages,
  channels: figures.channels,
  archived_channels: figures.archivedChannels,
  topics: figures.topics,
  files: figures.files,
  file_bytes: figures.fileBytes,
  queues: figures.queues,
  jobs_waiting: figures.jobsWaiting,
  jobs_failed: figures.jobsFailed,
  database_bytes: database,
  database_log_bytes: databaseLog,
  search_index_bytes: searchIndex,
});

const number = (count: number) => count.toLocaleString("en-US");

const activity = ({ day, week, month }: OrganizationFigures["activePeople"]) =>
  `active in the last day ${number(day)}, 7 days ${number(week)}, 30 days ${number(month)}`;

function rowsOf({ hosts, figures }: ServerFigures): string[][] {
  return [
    ["organizations", number(hosts.length), hosts.length === 1 ? (hosts[0] ?? "") : ""],
    ["people", number(figures.people), activity(figures.activePeople)],
    ["bots", number(figures.bots), activity(figures.activeBots)],
    ["messages", number(figures.messages), ""],
    ["channels", number(figures.channels), `and ${number(figures.archivedChannels)} archived`],
    ["topics", number(figures.topics), ""],
    ["files", number(figures.files), sizeText(figures.fileBytes)],
    ["event queues", number(figures.queues), "of clients that are connected, or were just now"],
    ["jobs", number(figures.jobsWaiting), `waiting; ${number(figures.jobsFailed)} failed for good`],
  ];
}

const rowsOfSizes = ({ database, databaseLog, searchIndex }: ServerFigures): string[][] => [
  [
    "database",
    sizeText(database),
    databaseLog === null ? "" : `and ${sizeText(databaseLog)} of write-ahead log`,
  ],
  ["search index", sizeText(searchIndex), "about, in the database"],
];

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Bytes as people read them: `1.4 GiB`. */
function sizeText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`;
}
