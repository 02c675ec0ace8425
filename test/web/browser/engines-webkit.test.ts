import { anchorCases } from "../engines/anchor-cases";
import { engineStage } from "../engines/engine";
import { lateCases } from "../engines/late-cases";
import { talkCases } from "../engines/talk-cases";
import { webkit } from "../engines/webkit";

const on = engineStage(webkit);

lateCases(on);
talkCases(on);
anchorCases(on);
