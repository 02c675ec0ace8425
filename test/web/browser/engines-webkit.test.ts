import { anchorCases } from "../engines/anchor-cases";
import { engineStage } from "../engines/engine";
import { talkCases } from "../engines/talk-cases";
import { webkit } from "../engines/webkit";

const on = engineStage(webkit);

talkCases(on);
anchorCases(on);
