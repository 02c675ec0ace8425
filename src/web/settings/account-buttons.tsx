import { mayManage } from "../model/permissions";
import type { User } from "../model/wire";
import { me, model } from "../store/state";
import { accountWords } from "../words/accounts";
import { openEnd, openReturn } from "./account-end";
import { openRole } from "./role-dialog";

/**
 * Ways to change somebody's role, and to end their account or have it back; none without the right.
 */
export function AccountButtons({ user }: { user: User }) {
  const { full_name: name, is_active: isActive } = user;
  if (!mayManage(model.value, user)) return null;
  const isOwn = user.user_id === me.value;
  return (
    <>
      {isActive && (
        <button
          type="button"
          class="chip closing"
          aria-label={accountWords.changeRoleOf(name)}
          aria-haspopup="dialog"
          onClick={() => openRole(user)}
        >
          {accountWords.role}
        </button>
      )}
      {/* One's own account ends in one's own settings. */}
      {!isOwn && (
        <button
          type="button"
          class="chip closing"
          aria-label={
            isActive ? accountWords.deactivateNamed(name) : accountWords.reactivateNamed(name)
          }
          aria-haspopup="dialog"
          onClick={() => (isActive ? openEnd(user) : openReturn(user))}
        >
          {isActive ? accountWords.deactivate : accountWords.reactivate}
        </button>
      )}
    </>
  );
}
