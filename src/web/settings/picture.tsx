import { useRef } from "preact/hooks";
import { isAdministrator } from "../model/permissions";
import type { User } from "../model/wire";
import { remove } from "../net/api";
import { Avatar } from "../parts/avatar";
import { attempt, notify } from "../store/notices";
import { model, organization, server } from "../store/state";
import { settingsWords } from "../words/settings";
import { openCrop } from "./crop-dialog";

/** The person's avatar, with buttons to change and to remove it. */
export function Picture({ user }: { user: User }) {
  const field = useRef<HTMLInputElement>(null);
  const { picture } = settingsWords;
  const isFixed =
    (organization.value.avatar_changes_disabled || server.value.server_avatar_changes_disabled) &&
    !isAdministrator(model.value);
  return (
    <div class="setting picture">
      <span>{picture.name}</span>
      <Avatar user={user} />
      {isFixed ? (
        <p class="quiet">{picture.fixed}</p>
      ) : (
        <div class="choices">
          <button type="button" class="button" onClick={() => field.current?.click()}>
            {picture.choose}
          </button>
          <input
            ref={field}
            type="file"
            accept="image/*"
            hidden
            aria-label={picture.choose}
            onChange={({ currentTarget }) => void takeFile(currentTarget)}
          />
          {user.avatar_version > 1 && hasOwnPicture(user) && (
            <button type="button" class="button" onClick={() => void removePicture()}>
              {picture.remove}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

const hasOwnPicture = ({ avatar_url: url }: User): boolean =>
  url?.includes("/user_avatars/") === true && !url.includes("/generated/");

async function takeFile(field: HTMLInputElement): Promise<void> {
  const [file] = field.files ?? [];
  // The person may choose one file twice.
  field.value = "";
  if (!file) return;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture) openCrop(picture);
  else notify(settingsWords.picture.unreadable);
}

async function removePicture(): Promise<void> {
  if (await attempt(() => remove("/users/me/avatar"))) notify(settingsWords.picture.removed);
}
