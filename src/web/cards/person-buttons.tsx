import { mayManage } from "../model/permissions";
import type { User } from "../model/wire";
import { post, remove } from "../net/api";
import { copyText } from "../parts/copying";
import { withRarePart } from "../parts/rare";
import { fragmentOf } from "../store/names";
import { attempt, notify } from "../store/notices";
import { me, model, mutedUsers, users } from "../store/state";
import { cardWords } from "../words/cards";
import { words } from "../words/words";
import { openStatus } from "./status-dialog";

/** Buttons of a person's card. One's own card has other buttons. */
export function PersonButtons({ user, direct }: { user: User; direct: string }) {
  const { user_id: id, full_name: name } = user;
  const isOwn = id === me.value;
  const messages = fragmentOf([{ operator: "sender", operand: id, negated: false }]);
  return (
    <div class="choices">
      {user.is_active && !isOwn && (
        <a class="chip" href={direct}>
          {cardWords.direct}
        </a>
      )}
      {isOwn && (
        <>
          <button type="button" class="chip closing" onClick={openStatus}>
            {cardWords.setStatus}
          </button>
          <a class="chip" href="#settings/profile">
            {cardWords.settings}
          </a>
        </>
      )}
      <a class="chip" href={messages}>
        {cardWords.find}
      </a>
      <button
        type="button"
        class="chip closing"
        onClick={() => void copyMention(`@**${name}|${id}**`)}
      >
        {cardWords.copyMention}
      </button>
      {!isOwn && <Mute userId={id} name={name} />}
      {!isOwn && mayManage(model.value, user) && <Account user={user} />}
    </div>
  );
}

/** Ways to change somebody's role, and to end their account or have it back. */
function Account({ user }: { user: User }) {
  const chip = { type: "button", class: "chip closing", "aria-haspopup": "dialog" } as const;
  const owner = user.bot_owner_id === null ? undefined : users.value.get(user.bot_owner_id);
  // The server reactivates no bot without an active owner.
  if (!user.is_active && owner?.is_active === false)
    return <p class="quiet">{cardWords.ownerEnded(owner.full_name)}</p>;
  if (!user.is_active)
    return (
      <button
        {...chip}
        onClick={() => void withRarePart("administration", ({ openReturn }) => openReturn(user))}
      >
        {cardWords.reactivate}
      </button>
    );
  return (
    <>
      <button
        {...chip}
        onClick={() => void withRarePart("administration", ({ openRole }) => openRole(user))}
      >
        {cardWords.role}
      </button>
      <button
        {...chip}
        onClick={() => void withRarePart("administration", ({ openEnd }) => openEnd(user))}
      >
        {cardWords.deactivate}
      </button>
    </>
  );
}

/** Copies a mention of somebody. */
export async function copyMention(mention: string): Promise<void> {
  notify((await copyText(mention)) ? words.copied : words.actions.notCopied);
}

function Mute({ userId, name }: { userId: number; name: string }) {
  const isMuted = mutedUsers.value.has(userId);
  return (
    <button
      type="button"
      class={isMuted ? "chip on" : "chip"}
      onClick={() => void setMuted(userId, name, !isMuted)}
    >
      {isMuted ? cardWords.unmute : cardWords.mute}
    </button>
  );
}

/** Mutes or unmutes somebody. This can be undone. */
async function setMuted(userId: number, name: string, isMuted: boolean): Promise<void> {
  const path = "/users/me/muted_users/{muted_user_id}";
  const whom = { muted_user_id: userId };
  const set = (wanted: boolean) => (wanted ? post(path, whom) : remove(path, whom));
  if (!(await attempt(() => set(isMuted)))) return;
  const text = isMuted ? cardWords.muted(name) : cardWords.unmuted(name);
  notify(text, () => void attempt(() => set(!isMuted)));
}
