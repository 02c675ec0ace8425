import type { ComponentChildren } from "preact";
import { Icon } from "../parts/icon";
import { words } from "../words/words";

interface LineProps {
  href: string;
  name: string;
  mark?: ComponentChildren;
  count?: number;
  /** Whether what is unread here is for the person. */
  isMine?: boolean;
  isMuted?: boolean;
  isCurrent?: boolean;
}

/** A line of a list that leads somewhere, with the number of what is unread there. */
export function Line({ href, name, mark, count = 0, isMine, isMuted, isCurrent }: LineProps) {
  const form = ["line", count > 0 && "unread", isMuted && "muted"].filter(Boolean).join(" ");
  return (
    <li>
      <a href={href} class={form} aria-current={isCurrent ? "page" : undefined}>
        {mark}
        <span class="name" dir="auto">
          {name}
        </span>
        {count > 0 && !isMuted && <Badge count={count} isMine={isMine} />}
        {isMuted && <Icon name="muted" isAtEnd />}
      </a>
    </li>
  );
}

/** The number of unread messages; of those that are for the person in the accent. */
export const Badge = ({
  count,
  isMine = false,
}: {
  count: number;
  isMine?: boolean | undefined;
}) => (
  <span class={isMine ? "badge mine" : "badge"}>
    <span aria-hidden="true">{count}</span>
    <span class="visually-hidden">{words.unread(count)}</span>
  </span>
);
