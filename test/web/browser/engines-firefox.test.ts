import { anchorCases } from "../engines/anchor-cases";
import { engineStage } from "../engines/engine";
import { firefox } from "../engines/firefox";
import { talkCases } from "../engines/talk-cases";

const on = engineStage(firefox);

talkCases(on);
anchorCases(on);
