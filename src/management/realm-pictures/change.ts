import { eq } from "drizzle-orm";
import type { Context, RealmRow, Tx } from "../../core/context";
import { administratorRequired } from "../../core/errors";
import { laneOf } from "../../core/turns/fair-queue";
import { onlyRow, write } from "../../core/write";
import { requireMay } from "../../people/user-groups/may";
import { renewContext } from "../../people/users/renew-context";
import { makeFitting, makeSquares } from "../../pictures/decode";
import { pictureDigest } from "../../pictures/digest";
import { releasePictureIn, removalsSettled, withStoredPicture } from "../../pictures/store";
import { digestColumns, pictureColumns, type RealmPicture, realmPicture } from "../../realm/assets";
import { iconChanged, logoChanged, nightLogoChanged } from "./events";

/** In pixels. */
const iconSide = 200;
const [logoWidth, logoHeight] = [800, 100];

/** Suffix of the key of its file, which distinguishes it from files in messages. */
export const realmVariant = "-realm";

/**
 * Changes the organization's icon or logo; answers its row. An icon becomes a square of 200 pixels,
 * a logo at most 800 wide and 100 high. The former one is removed. Event: realm update_dict, to the
 * realm. Refuses all but administrators (UNAUTHORIZED_PRINCIPAL) and a file that is no picture
 * (BAD_IMAGE).
 */
export async function setRealmPicture(
  ctx: Context,
  picture: RealmPicture,
  file: Uint8Array,
): Promise<RealmRow> {
  await requireMay(ctx.reader, ctx, administratorRequired, { role: "administrator" });
  const { files, digest } = await prepareRealmPicture(laneOf(ctx), picture, file);
  return withStoredPicture(ctx, files, async (tx, { name }) =>
    setRealmPictureIn(tx, await renewContext(tx, ctx), picture, { name, digest }),
  );
}

/**
 * The part without the database: makes the files in the form of `storePicture`; see `makeFitting`.
 */
export const prepareRealmPicture = async (
  whose: string,
  picture: RealmPicture,
  file: Uint8Array,
) => ({
  files: { [realmVariant]: await fitted(whose, picture, file) },
  digest: pictureDigest(file),
});

async function fitted(whose: string, picture: RealmPicture, file: Uint8Array): Promise<Uint8Array> {
  if (picture !== "icon") return makeFitting(whose, file, logoWidth, logoHeight);
  const [square = file] = await makeSquares(whose, file, [iconSide]);
  return square;
}

/**
 * Removes the organization's own icon or logo, so that it has the default one; answers its row.
 * Event as above, none where it had none. Refuses all but administrators (UNAUTHORIZED_PRINCIPAL).
 */
export async function removeRealmPicture(ctx: Context, picture: RealmPicture): Promise<RealmRow> {
  const realm = await write(ctx, async (tx) =>
    setRealmPictureIn(tx, await renewContext(tx, ctx), picture, null),
  );
  await removalsSettled();
  return realm;
}

/** The part of both inside the write; the caller claims the picture. `ctx` is as of the write. */
export async function setRealmPictureIn(
  tx: Tx,
  ctx: Context,
  picture: RealmPicture,
  stored: { name: string; digest: string } | null,
): Promise<RealmRow> {
  await requireMay(tx, ctx, administratorRequired, { role: "administrator" });
  const { realm: before } = ctx;
  const { realms } = tx.t;
  const name = stored?.name ?? null;
  const column = pictureColumns[picture];
  const old = before[column];
  if (old === name) return before;
  const rows = await tx.db
    .update(realms)
    .set({ [column]: name, [digestColumns[picture]]: stored?.digest ?? null })
    .where(eq(realms.id, before.id))
    .returning();
  if (old !== null) await releasePictureIn(tx, ctx.app, before.id, old, [realmVariant]);
  const realm = onlyRow(rows);
  await tx.emit({ to: "realm" }, changed(realm, picture));
  const after = { picture, is_set: name !== null };
  tx.audit(ctx, { action: "realm.update_picture", kind: "realm", after });
  return realm;
}

function changed(realm: RealmRow, picture: RealmPicture) {
  const { url, source } = realmPicture(realm, picture);
  if (picture === "icon")
    return iconChanged({ property: picture, data: { icon_url: url, icon_source: source } });
  if (picture === "logo")
    return logoChanged({ property: picture, data: { logo_url: url, logo_source: source } });
  return nightLogoChanged({
    property: picture,
    data: { night_logo_url: url, night_logo_source: source },
  });
}
