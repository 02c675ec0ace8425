import type { Page } from "playwright-core";
import { until } from "./waiting";

/* The state and the files that a browser keeps, so that the page opens without the server. */

/** Runs in a page: all rows of the database, and the names of caches, as one text. */
export async function readKept(): Promise<string> {
  const names = await caches.keys();
  const files = await Promise.all(
    names.map(async (name) => (await (await caches.open(name)).keys()).length),
  );
  const databases = await indexedDB.databases();
  const rows: unknown[] = [];
  for (const { name } of databases) {
    const done = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open(name ?? ""));
    for (const store of database.objectStoreNames)
      rows.push(await done(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return JSON.stringify({ names, files, rows });
}

/** The text of `readKept` where nothing is kept. */
export const nothingKept = JSON.stringify({ names: [], files: [], rows: [] });

/** Waits until the files of the page are kept, and a text among messages or the state. */
export async function untilKept(page: Page, text: string): Promise<void> {
  const isKept = new RegExp(`"files":\\[[1-9].*${text}`);
  await until(async () => isKept.test(await page.evaluate(readKept)));
}
