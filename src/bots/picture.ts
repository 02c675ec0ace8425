import type { Context, Tx, UserRow } from "../core/context";
import { laneOf } from "../core/turns/fair-queue";
import { write } from "../core/write";
import { setAvatarIn } from "../people/avatars/change";
import { makeAvatarFiles } from "../people/avatars/files";
import { type StoredPicture, withStoredPicture } from "../pictures/store";

/**
 * Runs a write that makes or changes a bot, and answers the bot. The write also gets the picture,
 * if there is one. Refuses a file that is no picture (BAD_IMAGE) before the write.
 */
export async function writeWithPicture<Made>(
  ctx: Context,
  file: Uint8Array | undefined,
  run: (tx: Tx, picture?: StoredPicture) => Promise<Made>,
): Promise<Made> {
  return file
    ? withStoredPicture(ctx, await makeAvatarFiles(laneOf(ctx), file), run)
    : write(ctx, (tx) => run(tx));
}

/**
 * Sets a bot's avatar, if there is a picture; answers its row. Event: realm_user update with the
 * avatar, to the realm.
 */
export async function givePicture(
  tx: Tx,
  { app, realm }: Context,
  bot: UserRow,
  picture: StoredPicture | undefined,
): Promise<UserRow> {
  return picture ? setAvatarIn(tx, app, realm, bot, picture) : bot;
}
