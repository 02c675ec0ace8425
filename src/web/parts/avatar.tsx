export interface Pictured {
  user_id: number;
  full_name: string;
  avatar_url: string | null;
}

const hues = 8;

/** Somebody's avatar, or their initials if they have none. */
export function Avatar({ user, isSmall = false }: { user: Pictured; isSmall?: boolean }) {
  const { avatar_url: url, full_name: name, user_id: id } = user;
  const form = isSmall ? "avatar small" : "avatar";
  if (url === null || url.includes("/generated/") || isElsewhere(url))
    return (
      <span class={`${form} face-${id % hues}`} aria-hidden="true">
        {initialsOf(name)}
      </span>
    );
  return <img class={form} src={url} alt="" loading="lazy" />;
}

/** Whether a picture is on another server, which would learn who looks at it. */
const isElsewhere = (url: string): boolean =>
  new URL(url, location.origin).origin !== location.origin;

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word = "") => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}
