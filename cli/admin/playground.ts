import {
  addPlayground as addVerb,
  getPlaygrounds,
  removePlayground as removeVerb,
} from "../../src/management/playgrounds/service";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";
import { readId } from "../read-id";

/** `chatd admin playground list` */
export async function listPlaygrounds(options: RealmOptions) {
  const { playgrounds } = await withOperator(options, getPlaygrounds);
  const rows = playgrounds.map(({ id, name, pygments_language, url_template }) => [
    String(id),
    name,
    pygments_language,
    url_template,
  ]);
  printResult(
    options,
    { playgrounds },
    formatTable(["ID", "NAME", "LANGUAGE", "URL TEMPLATE"], rows),
  );
}

/** `chatd admin playground add NAME LANGUAGE TEMPLATE` */
export async function addPlayground(
  name: string,
  pygmentsLanguage: string,
  urlTemplate: string,
  options: RealmOptions,
) {
  const { id } = await withOperator(options, (ctx) =>
    addVerb(ctx, { name, pygmentsLanguage, urlTemplate }),
  );
  printResult(options, { id }, [
    `Added the playground ${name} for ${pygmentsLanguage} (ID ${id}).`,
  ]);
}

/** `chatd admin playground remove ID` */
export async function removePlayground(id: string, options: RealmOptions) {
  const playgroundId = readId(id);
  await withOperator(options, (ctx) => removeVerb(ctx, { playgroundId }));
  printResult(options, { id: playgroundId }, [`Removed the playground ${playgroundId}.`]);
}
