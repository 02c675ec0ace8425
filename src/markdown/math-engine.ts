/** What is loaded with the first formula. */
export { renderToString } from "katex";
