import { en } from "../../../src/web/words/en";
import { pseudoWords } from "../pseudo-words";

globalThis.chatdLanguage = {
  tag: "ar-XB",
  direction: "rtl",
  words: pseudoWords(en, "ar-XB"),
};
