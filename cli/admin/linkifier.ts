import type { Context } from "../../src/core/context";
import {
  addLinkifier as addVerb,
  getLinkifiers,
  removeLinkifier as removeVerb,
  reorderLinkifiers,
  updateLinkifier as updateVerb,
} from "../../src/management/linkifiers/service";
import { listed, printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";
import { readId } from "../read-id";

type TemplateOptions = RealmOptions & {
  example?: string;
  reverse?: string;
  alternative?: string[];
};

const listAll = async (ctx: Context) => (await getLinkifiers(ctx)).linkifiers;

const templatesOf = ({ example, reverse, alternative }: TemplateOptions) => ({
  exampleInput: example,
  reverseTemplate: reverse,
  alternativeUrlTemplates: alternative,
});

/** A linkifier after a command, in the form of the protocol. */
const shown = async (ctx: Context, linkifierId: number) =>
  listed(await listAll(ctx), linkifierId, "linkifier");

type Shown = Awaited<ReturnType<typeof shown>>;

/** `chatd admin linkifier list`, in the order in which they are tried. */
export async function listLinkifiers(options: RealmOptions) {
  const linkifiers = await withOperator(options, listAll);
  const rows = linkifiers.map(({ id, pattern, url_template, example_input }) => [
    String(id),
    pattern,
    url_template,
    example_input ?? "",
  ]);
  printResult(
    options,
    { linkifiers },
    formatTable(["ID", "PATTERN", "URL TEMPLATE", "EXAMPLE"], rows),
  );
}

/**
 * `chatd admin linkifier add PATTERN TEMPLATE [--example TEXT] [--reverse TEMPLATE] [--alternative
 * TEMPLATE…] [--if-missing]`
 */
export async function addLinkifier(pattern: string, urlTemplate: string, options: TemplateOptions) {
  await printAdded<Shown>(options, "linkifier", (ctx) => ({
    find: async () => (await listAll(ctx)).find((one) => one.pattern === pattern),
    async add() {
      const { id } = await addVerb(ctx, { pattern, urlTemplate, ...templatesOf(options) });
      return shown(ctx, id);
    },
    added: (linkifier) => `Added the linkifier ${linkifier.pattern} (ID ${linkifier.id}).`,
    describe: (linkifier) =>
      `There is a linkifier for ${linkifier.pattern} already (ID ${linkifier.id}, to ${linkifier.url_template}).`,
  }));
}

/**
 * `chatd admin linkifier update ID PATTERN TEMPLATE …`: an empty `--example` or `--reverse` removes
 * it.
 */
export async function updateLinkifier(
  id: string,
  pattern: string,
  urlTemplate: string,
  options: TemplateOptions,
) {
  const filterId = readId(id);
  const linkifier = await withOperator(options, async (ctx) => {
    await updateVerb(ctx, { filterId, pattern, urlTemplate, ...templatesOf(options) });
    return shown(ctx, filterId);
  });
  printResult(options, { linkifier }, [`Changed the linkifier ${linkifier.pattern}.`]);
}

/** `chatd admin linkifier remove ID` */
export async function removeLinkifier(id: string, options: RealmOptions) {
  const filterId = readId(id);
  await withOperator(options, (ctx) => removeVerb(ctx, { filterId }));
  printResult(options, { id: filterId }, [`Removed the linkifier ${filterId}.`]);
}

/** `chatd admin linkifier reorder ID…`: all linkifiers, in the order in which to try them. */
export async function reorder(ids: string[], options: RealmOptions) {
  const orderedLinkifierIds = ids.map(readId);
  const linkifiers = await withOperator(options, async (ctx) => {
    await reorderLinkifiers(ctx, { orderedLinkifierIds });
    return listAll(ctx);
  });
  printResult(options, { linkifiers }, [
    `They are now tried in this order: ${orderedLinkifierIds.join(", ")}.`,
  ]);
}
