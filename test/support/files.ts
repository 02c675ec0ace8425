import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "./client";
import type { Person, World } from "./world";

export const headersOf = ({ host, credentials }: Client): Record<string, string> =>
  credentials
    ? {
        host,
        authorization: `Basic ${Buffer.from(`${credentials.email}:${credentials.apiKey}`).toString("base64")}`,
      }
    : { host };

/** A form with one file, which its uploader always calls HTML. */
export function formOf(
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  field = "file",
): FormData {
  const form = new FormData();
  form.append(field, new Blob([content], { type: "text/html" }), name);
  return form;
}

/** Uploads content that a test has written itself. */
export const send = (
  client: Client,
  body: BodyInit,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) => client.ask("POST", "/user_uploads", {}, { body, headers, ...(signal ? { signal } : {}) });

/** Uploads a file and answers its address. */
export async function upload(
  person: Client,
  name = "note.txt",
  content: string | Uint8Array<ArrayBuffer> = "hello",
): Promise<string> {
  const { status, body } = await send(person, formOf(name, content));
  if (status !== 200) throw new Error(`the file was refused: ${JSON.stringify(body)}`);
  return body.url;
}

/** Requests a file like a browser. */
export const open = (client: Client, url: string, init: RequestInit = {}) =>
  fetch(`${client.site}${url}`, { ...init, headers: { ...headersOf(client), ...init.headers } });

export const statusOf = async (client: Client, url: string) => (await open(client, url)).status;

/** People among these who may read a file. */
export async function readersOf(url: string, ...people: Person[]): Promise<string[]> {
  const names: string[] = [];
  for (const person of people)
    if ((await statusOf(person, url)) === 200) names.push(person.fullName);
  return names;
}

export const filesOf = async (person: Person) => (await person.get("/attachments")).body;

/** Every file in the data folder's part for files, by its path there. */
export function storedFiles({ place }: World): string[] {
  const folder = join(place.dataFolder, "files");
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true }).map(String);
  return paths.filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile());
}

/** Rows that the database has about files. */
export async function storedRows({ app }: World) {
  const { db, t } = app.engine.reader;
  return {
    files: await db.select().from(t.attachments),
    links: await db.select().from(t.attachmentMessages),
  };
}
