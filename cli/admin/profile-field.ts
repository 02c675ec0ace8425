import type { Context } from "../../src/core/context";
import {
  createProfileField,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../src/management/profile-fields/service";
import { countAnswers } from "../../src/moving/figures/consequences";
import {
  fieldTypeName,
  fieldTypeNamed,
} from "../../src/moving/organization/declarables/profile-fields";
import { loadProfileFieldId } from "../../src/moving/organization/lookup";
import { listed, printAdded } from "../addition";
import { isAgreed } from "../consent";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";
import { readValue } from "../read-value";

type FieldOptions = RealmOptions & {
  name?: string;
  hint?: string;
  fieldData?: string;
  summary?: boolean;
  required?: boolean;
  editable?: boolean;
  matching?: boolean;
};

const listAll = async (ctx: Context) => (await getProfileFields(ctx)).custom_fields;

/** A profile field after a command, in the form of the protocol. */
const shown = async (ctx: Context, fieldId: number) =>
  listed(await listAll(ctx), fieldId, "profile field");

type Shown = Awaited<ReturnType<typeof shown>>;

const valuesOf = ({
  name,
  hint,
  fieldData: data,
  summary,
  required,
  editable,
  matching,
}: FieldOptions) => ({
  name,
  hint,
  fieldData: data === undefined ? undefined : readJson(data),
  displayInProfileSummary: summary,
  required,
  editableByUser: editable,
  useForUserMatching: matching,
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--field-data must be JSON, like {"subtype": "github"}.`);
  }
}

/** `chatd admin profile-field list` */
export async function listFields(options: RealmOptions) {
  const fields = await withOperator(options, listAll);
  const rows = fields.map((field) => [
    String(field.id),
    field.name,
    fieldTypeName(field.type),
    field.required ? "required" : "optional",
    field.editable_by_user ? "everybody" : "administrators",
    field.hint,
  ]);
  printResult(
    options,
    { fields },
    formatTable(["ID", "NAME", "TYPE", "NEEDED", "FILLED IN BY", "HINT"], rows),
  );
}

/**
 * `chatd admin profile-field add TYPE --name NAME [--hint TEXT] [--field-data JSON] [--if-missing]
 * …`
 */
export async function addField(type: string, options: FieldOptions) {
  const fieldType = readValue(() => fieldTypeNamed(type));
  const values = valuesOf(options);
  await printAdded<Shown>(options, "field", (ctx) => ({
    find: async () => (await listAll(ctx)).find((one) => one.name === options.name?.trim()),
    async add() {
      const { id } = await createProfileField(ctx, { fieldType, ...values });
      return shown(ctx, id);
    },
    added: (field) => `Added the profile field ${field.name} (ID ${field.id}).`,
    describe: (field) =>
      `There is a profile field ${field.name} already (ID ${field.id}, ${fieldTypeName(field.type)}).`,
  }));
}

/** `chatd admin profile-field update FIELD [--name NAME] …` */
export async function updateField(name: string, options: FieldOptions) {
  const values = valuesOf(options);
  if (Object.values(values).every((value) => value === undefined)) {
    throw new UsageError("Nothing to change: give --name, --hint or another option.");
  }
  const field = await withOperator(options, async (ctx) => {
    const fieldId = await loadProfileFieldId(ctx, name);
    await updateProfileField(ctx, { fieldId, ...values });
    return shown(ctx, fieldId);
  });
  printResult(options, { field }, [`Changed the profile field ${field.name}.`]);
}

/**
 * `chatd admin profile-field remove FIELD [--yes] [--dry-run]`: also deletes all values of the
 * field.
 */
export async function removeField(name: string, options: RealmOptions) {
  const id = await withOperator(options, async (ctx) => {
    const fieldId = await loadProfileFieldId(ctx, name);
    const plan = {
      act: `remove the profile field ${name} with all that people have told in it`,
      name,
      figures: await countAnswers(ctx, fieldId),
    };
    if (!(await isAgreed(options, plan))) return undefined;
    await removeProfileField(ctx, { fieldId });
    return fieldId;
  });
  if (id === undefined) return;
  printResult(options, { id }, [`Removed the profile field ${name}.`]);
}

/**
 * `chatd admin profile-field reorder FIELD…`: these come first; the others follow in their present
 * order.
 */
export async function reorder(names: string[], options: RealmOptions) {
  const fields = await withOperator(options, async (ctx) => {
    const first = await Promise.all(names.map((name) => loadProfileFieldId(ctx, name)));
    const others = (await listAll(ctx)).map(({ id }) => id).filter((id) => !first.includes(id));
    await reorderProfileFields(ctx, { order: [...first, ...others] });
    return listAll(ctx);
  });
  printResult(options, { fields }, [
    `Their order is now: ${fields.map(({ name }) => name).join(", ")}.`,
  ]);
}
