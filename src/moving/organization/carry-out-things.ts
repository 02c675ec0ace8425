import {
  createFolderIn,
  prepareFolder,
  prepareFolderChange,
  updateFolderIn,
} from "../../channels/channel-folders/service";
import type { Context, Tx } from "../../core/context";
import { addDomainIn, changeDomainIn } from "../../management/domains/service";
import { addLinkifierIn, updateLinkifierIn } from "../../management/linkifiers/service";
import { addPlaygroundIn, removePlaygroundIn } from "../../management/playgrounds/service";
import {
  createProfileFieldIn,
  updateProfileFieldIn,
} from "../../management/profile-fields/service";
import type { RenderedDescriptions } from "../../realm/descriptions";
import type { DeclaredProfileField } from "./declared-things";
import type { ThingChange } from "./thing-changes";

interface Work {
  tx: Tx;
  ctx: Context;
  /** The ids of folders by their names in lower case, new ones added as they come. */
  folders: Map<string, number>;
  descriptions: RenderedDescriptions;
}

/** Makes one change. */
export async function carryOutThing(work: Work, change: ThingChange) {
  const { tx, ctx } = work;
  switch (change.kind) {
    case "addDomain":
      await addDomainIn(tx, ctx, change.domain);
      return;
    case "changeDomain":
      return changeDomainIn(tx, ctx, change.domain);
    case "addLinkifier":
      await addLinkifierIn(tx, ctx, change.linkifier);
      return;
    case "changeLinkifier": {
      const { exampleInput, reverseTemplate, ...linkifier } = change.linkifier;
      const texts = { exampleInput: exampleInput ?? "", reverseTemplate: reverseTemplate ?? "" };
      return updateLinkifierIn(tx, ctx, { filterId: change.id, ...linkifier, ...texts });
    }
    case "changePlayground":
      await removePlaygroundIn(tx, ctx, change.id);
      await addPlaygroundIn(tx, ctx, change.playground);
      return;
    case "addPlayground":
      await addPlaygroundIn(tx, ctx, change.playground);
      return;
    default:
      return carryOutNamed(work, change);
  }
}

type NamedKind = "addProfileField" | "changeProfileField" | "addFolder" | "describeFolder";
type NamedChange = Extract<ThingChange, { kind: NamedKind }>;

async function carryOutNamed({ tx, ctx, folders, descriptions }: Work, change: NamedChange) {
  switch (change.kind) {
    case "addProfileField":
      await createProfileFieldIn(tx, ctx, {
        ...fieldInput(change.field),
        fieldType: change.field.type,
      });
      return;
    case "changeProfileField":
      return updateProfileFieldIn(tx, ctx, { ...fieldInput(change.field), fieldId: change.id });
    case "addFolder": {
      const { name, description = "" } = change.folder;
      const { channel_folder_id } = await createFolderIn(
        tx,
        ctx,
        prepareFolder({ name, description }, descriptions),
      );
      folders.set(name.toLowerCase(), channel_folder_id);
      return;
    }
    case "describeFolder":
      return updateFolderIn(
        tx,
        ctx,
        change.id,
        prepareFolderChange({ description: change.description }, descriptions),
      );
  }
}

/** Parts of a field that are left out stay as they are. */
const fieldInput = ({ type: _, fieldData, ...field }: DeclaredProfileField) => ({
  ...field,
  fieldData: fieldData === undefined || fieldData === "" ? undefined : JSON.parse(fieldData),
});
