import type { ComponentChildren } from "preact";
import { Icon } from "../parts/icon";
import { grouped, words } from "../words/words";

interface LineProps {
  href: string;
  name: string;
  mark?: ComponentChildren;
  count?: number;
  /** Words for the count, if it does not count unread messages. */
  counted?: (count: number) => string;
  /** Whether the unread messages are addressed to the person. */
  isMine?: boolean;
  isMuted?: boolean;
  isCurrent?: boolean;
}

/** A line of a list with a link and the number of unread messages behind it. */
export function Line(props: LineProps) {
  const { href, name, mark, count = 0, counted, isMine, isMuted, isCurrent } = props;
  const form = ["line", count > 0 && "unread", isMuted && "muted"].filter(Boolean).join(" ");
  return (
    <li>
      <a href={href} class={form} aria-current={isCurrent ? "page" : undefined}>
        {mark}
        <span class="name">
          <bdi>{name}</bdi>
        </span>
        {count > 0 && !isMuted && <Badge {...{ count, counted, isMine }} />}
        {isMuted && <Icon name="muted" isAtEnd />}
      </a>
    </li>
  );
}

/** The number of unread messages, in the accent colour if they are addressed to the person. */
export const Badge = ({
  count,
  counted = words.unread,
  isMine = false,
}: {
  count: number;
  counted?: ((count: number) => string) | undefined;
  isMine?: boolean | undefined;
}) => (
  <span class={isMine ? "badge mine" : "badge"}>
    <span aria-hidden="true">{grouped(count)}</span>
    <span class="visually-hidden">{counted(count)}</span>
  </span>
);
