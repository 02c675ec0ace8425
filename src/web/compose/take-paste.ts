import { parsePasted } from "../feed/content";
import { applyChange, insertText } from "./field";
import { isAddress, linkTo } from "./format";
import { isFormatted, markdownOf } from "./paste";
import { takeFiles } from "./take-files";
import type { TextBox } from "./text-box";

/** Takes what is pasted into a box: files are uploaded, a formatted text becomes Markdown. */
export function pasteInto(box: TextBox, event: ClipboardEvent): void {
  const { clipboardData: data } = event;
  if (!data) return;
  const plain = data.getData("text/plain");
  // A table of numbers comes with a picture of itself: the words are meant.
  if (data.files.length > 0 && plain === "") {
    event.preventDefault();
    takeFiles(box, [...data.files]);
    return;
  }
  if (pasteLink(box, plain) || pasteMarkdown(box, data.getData("text/html"), plain))
    event.preventDefault();
}

/** An address over a selection makes a link of it. */
function pasteLink(box: TextBox, plain: string): boolean {
  const element = box.field.current;
  if (!element || !isAddress(plain)) return false;
  const selection = { start: element.selectionStart, end: element.selectionEnd };
  const selected = element.value.slice(selection.start, selection.end);
  if (selected.trim() === "" || selected.includes("\n") || isAddress(selected)) return false;
  applyChange(box, linkTo(plain, element.value, selection));
  return true;
}

function pasteMarkdown(box: TextBox, html: string, plain: string): boolean {
  if (html === "") return false;
  const { body } = parsePasted(html);
  if (!isFormatted(body)) return false;
  const markdown = markdownOf(body);
  if (markdown === "" || markdown === plain) return false;
  insertText(box, markdown);
  return true;
}
