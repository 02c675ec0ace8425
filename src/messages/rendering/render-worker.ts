/**
 * The thread that renders long texts: it answers each with its HTML and the facts about it.
 */
import { lowerThreadPriority } from "../../core/turns/thread-priority";
import { renderMarkdown } from "../../markdown/render";
import { namesFrom } from "./name-facts";
import type { HeavyText } from "./render-thread";

declare const self: Worker;

lowerThreadPriority();
self.onmessage = ({ data: { source, facts } }: MessageEvent<HeavyText>) =>
  postMessage(renderMarkdown(source, namesFrom(facts)));
