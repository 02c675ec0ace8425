import { listPlaygrounds } from "../../../management/playgrounds/queries";
import {
  addPlaygroundIn,
  cleanPlayground,
  type NewPlayground,
  removePlaygroundIn,
} from "../../../management/playgrounds/service";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import {
  type Item,
  openMapping,
  readItems,
  refuseRepeatedTexts,
  requireText,
} from "../file/decode";
import { attempt, type Path, type Problem } from "../file/problems";
import type { Planning } from "../planning";

/** Sites that run code, identified by name and language together. */
export const playgrounds: Declarable = {
  read: (root) => ({
    playgrounds: readItems(root, "playgrounds").map((item) => readPlayground(root.problems, item)),
  }),
  check(declaration, problems) {
    const names = declaration.playgrounds.map((one) => (one.name === "" ? "" : nameOf(one)));
    refuseRepeatedTexts(problems, { part: "playgrounds", key: "name" }, names);
  },
  load: async ({ reader, realm }) => ({ playgrounds: await listPlaygrounds(reader, realm.id) }),
  plan: planPlaygrounds,
  dump: (dumping) => ({ playgrounds: dumpPlaygrounds(dumping) }),
};

function readPlayground(problems: Problem[], { path, value }: Item): NewPlayground {
  const keys = ["name", "language", "url_template"];
  const node = openMapping(problems, path, value, "a playground", keys);
  const plain = (text: string) => text.trim();
  const given = {
    name: requireText(node, "name", plain),
    pygmentsLanguage: requireText(node, "language", plain),
    urlTemplate: requireText(node, "url_template", plain),
  };
  if (Object.values(given).includes("")) return given;
  return attempt(problems, [...path, "url_template"], () => cleanPlayground(given)) ?? given;
}

function planPlaygrounds({ declaration, stored, changes }: Planning) {
  for (const [index, playground] of declaration.playgrounds.entries()) {
    const path = ["playgrounds", index];
    const { name, pygmentsLanguage } = playground;
    const storedPlayground = stored.playgrounds.find(
      (one) => one.name === name && one.pygmentsLanguage === pygmentsLanguage,
    );
    if (!storedPlayground) changes.push(addPlayground(path, playground));
    else if (storedPlayground.urlTemplate !== playground.urlTemplate)
      changes.push(replacePlayground(path, storedPlayground.id, playground));
  }
}

const nameOf = ({ name, pygmentsLanguage }: NewPlayground) => `${name} (${pygmentsLanguage})`;

const addPlayground = (path: Path, playground: NewPlayground): Change => ({
  lines: [`+ playground ${nameOf(playground)}: ${playground.urlTemplate}`],
  path,
  carryOut: ({ tx, ctx }) => addPlaygroundIn(tx, ctx, playground),
});

const replacePlayground = (path: Path, id: number, playground: NewPlayground): Change => ({
  lines: [`~ playground ${nameOf(playground)}: ${playground.urlTemplate}`],
  path,
  async carryOut({ tx, ctx }) {
    await removePlaygroundIn(tx, ctx, id);
    await addPlaygroundIn(tx, ctx, playground);
  },
});

const dumpPlaygrounds = ({ stored }: Dumping) =>
  stored.playgrounds.map(({ name, pygmentsLanguage, urlTemplate }) => ({
    name,
    language: pygmentsLanguage,
    url_template: urlTemplate,
  }));
