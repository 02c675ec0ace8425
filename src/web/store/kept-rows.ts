/**
 * Rows that are stored in the browser by key, so that they survive a reload and other tabs have
 * them.
 */
export interface Kept<Row> {
  readAll(): ReadonlyMap<string, Row>;
  /** Stores a row; undefined removes it. Answers whether the browser has done so. */
  keep(key: string, row: Row | undefined): boolean;
}

/**
 * Stored rows under a name. Each row has its own entry in the browser's storage, so that tabs that
 * write at one moment do not overwrite each other's rows. `onOther` is called for rows that another
 * tab has changed.
 */
export function keptRows<Row>(
  name: string,
  parse: (json: string) => Row | undefined,
  onOther: (key: string, row: Row | undefined) => void,
): Kept<Row> {
  const prefix = `chatd ${name} `;
  addEventListener("storage", (event) => {
    if (!(event instanceof StorageEvent)) return;
    const { key, newValue } = event;
    if (key?.startsWith(prefix))
      onOther(key.slice(prefix.length), newValue === null ? undefined : parsed(parse, newValue));
  });
  return {
    readAll: () =>
      new Map(
        storedKeys()
          .filter((key) => key.startsWith(prefix))
          .flatMap((key) => {
            const row = parsed(parse, localStorage.getItem(key) ?? "");
            return row === undefined ? [] : [[key.slice(prefix.length), row] as const];
          }),
      ),
    keep: (key, row) =>
      withStorage(() => {
        if (row === undefined) localStorage.removeItem(prefix + key);
        else localStorage.setItem(prefix + key, JSON.stringify(row));
      }),
  };
}

function parsed<Row>(parse: (json: string) => Row | undefined, json: string): Row | undefined {
  try {
    return parse(json);
  } catch {
    return undefined;
  }
}

/** Keys of everything that is stored in the browser. */
export const storedKeys = (): readonly string[] => {
  let keys: readonly string[] = [];
  withStorage(() => {
    keys = Object.keys(localStorage);
  });
  return keys;
};

/**
 * Runs a change of what is stored in the browser. A browser may have no storage, or its storage may
 * be full. Then nothing is stored, false is returned, and the console says so.
 */
export function withStorage(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    console.warn("This browser keeps nothing:", error);
    return false;
  }
}
