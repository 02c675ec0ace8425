import { useLayoutEffect, useRef } from "preact/hooks";
import { showContent } from "./content";

/** HTML of a message, as the server has rendered it. */
export function Rendered({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current) showContent(element.current, html);
  }, [html]);
  return <div ref={element} class="rendered" dir="auto" />;
}
