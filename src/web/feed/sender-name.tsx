import { EmojiSign } from "../parts/emoji-sign";
import { statuses, users } from "../store/state";
import { words } from "../words/words";

/** The name of a message's sender, with their role and the emoji of their status. */
export function SenderName({ userId, name }: { userId: number; name: string }) {
  const role = roleOf(userId);
  return (
    <>
      <b dir="auto">{name}</b>
      <StatusSign userId={userId} />
      {role !== undefined && <span class="role">{role}</span>}
    </>
  );
}

/** The role of somebody in words; undefined for members, because most people are members. */
function roleOf(userId: number): string | undefined {
  const user = users.value.get(userId);
  if (user === undefined) return undefined;
  return user.is_bot ? words.bot : words.roles.get(user.role);
}

function StatusSign({ userId }: { userId: number }) {
  const status = statuses.value.get(userId);
  const { emoji_name, emoji_code, reaction_type } = status ?? {};
  if (!emoji_name || !emoji_code || !reaction_type) return null;
  const label = status?.status_text ?? emoji_name;
  return (
    <span class="status-sign" role="img" aria-label={label} title={label}>
      <EmojiSign emoji={{ emoji_name, emoji_code, reaction_type }} />
    </span>
  );
}
