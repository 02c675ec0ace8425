import { pseudoLanguage } from "../pseudo-words";
import { english } from "./english";

globalThis.chatdLanguage = pseudoLanguage(english, "en-XA");
