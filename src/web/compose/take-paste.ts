import { parsePasted } from "../feed/content";
import { applyChange, insertText } from "./field";
import { isAddress, linkTo } from "./format";
import { isFormatted, markdownOf } from "./paste";
import { isInCode } from "./query";
import { takeTransfer } from "./take-files";
import type { TextBox } from "./text-box";

/** Handles a paste into a box: files are uploaded, and formatted text becomes Markdown. */
export function pasteInto(box: TextBox, event: ClipboardEvent): void {
  const { clipboardData: data } = event;
  if (!data) return;
  const plain = data.getData("text/plain");
  const files = [...data.files];
  // Spreadsheets add a picture of the cells to the clipboard. The text is meant.
  if (files.length > 0 && namesOnly(plain, files)) {
    event.preventDefault();
    takeTransfer(box, data);
    return;
  }
  // Markdown has no meaning inside code.
  if (isCaretInCode(box)) return;
  if (pasteLink(box, plain) || pasteMarkdown(box, data.getData("text/html"), plain))
    event.preventDefault();
}

/**
 * Whether a text only consists of the names or paths of files, which file managers add to copied
 * files.
 */
const namesOnly = (plain: string, files: readonly File[]): boolean =>
  plain
    .split(/[\r\n]+/)
    .filter((line) => line !== "")
    .every((line) => files.some((file) => isNameOf(line, file)));

const isNameOf = (line: string, { name }: File): boolean =>
  line === name ||
  [`/${name}`, `/${encodeURI(name)}`, `\\${name}`].some((end) => line.endsWith(end));

function isCaretInCode({ field: { current: element } }: TextBox): boolean {
  return element !== null && isInCode(element.value.slice(0, element.selectionStart));
}

/** A URL that is pasted over a selection makes it a link. */
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
