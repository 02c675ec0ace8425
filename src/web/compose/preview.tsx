import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { showContent } from "../feed/content";
import { post } from "../net/api";
import { boxKey, boxText } from "../store/box";
import { reasonOf } from "../store/notices";
import { words } from "../words/words";

interface Preview {
  readonly key: string;
  readonly text: string;
  /** HTML of the server, once it has answered. */
  readonly html: string | undefined;
  readonly refusal: string | undefined;
}

const preview = signal<Preview | undefined>(undefined);

/** Whether the box shows how its text will look. */
export const isPreviewed = computed(() => preview.value?.key === boxKey.value);

/** Shows how the text in the box will look, or the text again. */
export function togglePreview(): void {
  if (isPreviewed.value) preview.value = undefined;
  else void showPreview();
}

export function endPreview(): void {
  preview.value = undefined;
}

async function showPreview(): Promise<void> {
  const begun = { key: boxKey.value, text: boxText.value, html: undefined, refusal: undefined };
  preview.value = begun;
  const answer = await render(begun.text);
  // Another text may be shown by now.
  if (preview.value === begun) preview.value = { ...begun, ...answer };
}

async function render(content: string) {
  try {
    const { rendered } = await post("/messages/render", { content });
    return { html: rendered };
  } catch (error) {
    return { refusal: words.notLoaded(reasonOf(error)) };
  }
}

/** The text in the box as its readers will see it. */
export function PreviewPane() {
  const element = useRef<HTMLDivElement>(null);
  const { html, refusal } = preview.value ?? {};
  useLayoutEffect(() => {
    if (element.current && html !== undefined) showContent(element.current, html);
  }, [html]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section class="preview content" aria-label={words.compose.preview} tabIndex={0}>
      {refusal ?? <div ref={element} class="rendered" dir="auto" aria-busy={html === undefined} />}
    </section>
  );
}
