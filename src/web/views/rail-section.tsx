import type { ComponentChildren } from "preact";
import { Icon } from "../parts/icon";
import { folded, toggleFolded } from "../store/choices";
import { isFiltered } from "../store/rail-lists";
import { words } from "../words/words";

interface Fold {
  readonly isFolded: boolean;
  toggle(): void;
}

/** Whether a section of the rail is folded. While the rail is filtered, none is. */
export const foldOf = (key: string): Fold => ({
  isFolded: folded.value.has(key) && !isFiltered(),
  toggle: () => toggleFolded(key),
});

/**
 * The heading of a section, which folds it. A folded section only shows lines with unread messages.
 */
export const SectionHead = (props: { name: string; fold: Fold; children?: ComponentChildren }) => (
  <h2>
    <button
      type="button"
      class="fold"
      aria-expanded={!props.fold.isFolded}
      onClick={props.fold.toggle}
    >
      <span dir="auto">{props.name}</span>
      <Icon name="down" />
    </button>
    {props.children}
  </h2>
);

/** A line that draws more of a list, because long lists are never drawn completely. */
export const MoreLine = (props: { rest: number; step: number; show: () => void }) =>
  props.rest <= 0 ? null : (
    <li>
      <button type="button" class="line" onClick={props.show}>
        <span class="name">{words.views.showMore(Math.min(props.rest, props.step))}</span>
      </button>
    </li>
  );
