/**
 * Deepest nesting that JSON from a client may have: a parser that calls itself would run out of
 * stack.
 */
const jsonDepthMax = 32;

const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map((one) =>
  one.charCodeAt(0),
);

/**
 * Whether JSON is nested too deeply, checked before it is parsed. Brackets inside texts do not
 * count.
 */
export function isTooDeep(json: string): boolean {
  if (json.length <= jsonDepthMax) return false;
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (isInText) {
      if (code === backslash) index += 1;
      else if (code === quote) isInText = false;
    } else if (code === quote) isInText = true;
    else if (code === openList || code === openObject) depth += 1;
    else if (code === closeList || code === closeObject) depth -= 1;
    if (depth > jsonDepthMax) return true;
  }
  return false;
}
