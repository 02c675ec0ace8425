import { en } from "../../../src/web/words/en";
import { pseudoWords } from "../pseudo-words";

globalThis.chatdLanguage = {
  tag: "en-XA",
  direction: "ltr",
  words: pseudoWords(en, "en-XA"),
};
