import {
  addPlayground as addVerb,
  getPlaygrounds,
  removePlayground as removeVerb,
} from "../../src/management/playgrounds/service";
import { printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";
import { readId } from "../read-id";
import { orWhereListed } from "../where-listed";

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

/** `chatd admin playground add NAME LANGUAGE TEMPLATE [--if-missing]` */
export async function addPlayground(
  name: string,
  pygmentsLanguage: string,
  urlTemplate: string,
  options: RealmOptions,
) {
  await printAdded<{ id: number }>(
    options,
    "id",
    (ctx) => ({
      find: async () =>
        (await getPlaygrounds(ctx)).playgrounds.find(
          (one) => one.name === name.trim() && one.pygments_language === pygmentsLanguage.trim(),
        ),
      add: () => addVerb(ctx, { name, pygmentsLanguage, urlTemplate }),
      added: ({ id }) => `Added the playground ${name} for ${pygmentsLanguage} (ID ${id}).`,
      describe: ({ id }) =>
        `There is a playground ${name} for ${pygmentsLanguage} already (ID ${id}).`,
    }),
    ({ id }) => id,
  );
}

/** `chatd admin playground remove ID` */
export async function removePlayground(id: string, options: RealmOptions) {
  const playgroundId = readId(id);
  await withOperator(options, (ctx) =>
    orWhereListed("playground list", removeVerb(ctx, { playgroundId })),
  );
  printResult(options, { id: playgroundId }, [`Removed the playground ${playgroundId}.`]);
}
