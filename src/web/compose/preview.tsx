import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { showContent } from "../feed/content";
import { post } from "../net/api";
import { reasonOf } from "../store/notices";
import { composeWords } from "../words/compose";
import { words } from "../words/words";
import { strokeOf } from "./stroke";
import type { TextBox, WrittenText } from "./text-box";

interface Preview {
  readonly key: string;
  readonly text: string;
  /** The server's HTML, once it has answered. */
  readonly html: string | undefined;
  readonly refusal: string | undefined;
}

/** The preview of the text in a box. */
export interface Previewing {
  readonly shown: ReadonlySignal<Preview | undefined>;
  /** Switches between the preview and the text. */
  toggle(): void;
  end(): void;
  /** Returns to the text, with the caret in it. */
  leave(): void;
  /** Whether the text that is shown again should take the caret. True only once. */
  takeFocus(): boolean;
}

/** Creates the preview of a text, which is not shown yet. */
export function previewOf({ key, text }: WrittenText): Previewing {
  const preview = signal<Preview | undefined>(undefined);
  const shown = computed(() => (preview.value?.key === key.value ? preview.value : undefined));
  const end = () => {
    preview.value = undefined;
  };
  async function show(): Promise<void> {
    const begun = { key: key.peek(), text: text.peek(), html: undefined, refusal: undefined };
    preview.value = begun;
    const answer = await render(begun.text);
    // The box may show another text by now.
    if (preview.value === begun) preview.value = { ...begun, ...answer };
  }
  const toggle = () => {
    if (shown.peek()) end();
    else void show();
  };
  let isFocusWanted = false;
  const leave = () => {
    isFocusWanted = true;
    end();
  };
  const takeFocus = () => {
    const isWanted = isFocusWanted;
    isFocusWanted = false;
    return isWanted;
  };
  return { shown, toggle, end, leave, takeFocus };
}

async function render(content: string) {
  try {
    const { rendered } = await post("/messages/render", { content });
    return { html: rendered };
  } catch (error) {
    return { refusal: words.notLoaded(reasonOf(error)) };
  }
}

/** Shows the text in a box as its readers will see it. */
export function PreviewPane({ box }: { box: TextBox }) {
  const element = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const { html, refusal } = box.preview.shown.value ?? {};
  useLayoutEffect(() => {
    if (element.current && html !== undefined) showContent(element.current, html);
  }, [html]);
  useLayoutEffect(() => {
    // If the preview was opened by a key, the focus was in the field, which is gone now.
    if (document.activeElement === document.body) pane.current?.focus();
  }, []);
  return (
    <section
      ref={pane}
      class="preview content"
      aria-label={composeWords.preview}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key !== "Escape" && strokeOf(event) !== "Alt P") return;
        event.preventDefault();
        event.stopPropagation();
        box.preview.leave();
      }}
    >
      {refusal ?? <div ref={element} class="rendered" dir="auto" aria-busy={html === undefined} />}
    </section>
  );
}
