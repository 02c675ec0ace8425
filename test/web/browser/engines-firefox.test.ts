import { afterAll } from "bun:test";
import { anchorCases } from "../engines/anchor-cases";
import { engineStage } from "../engines/engine";
import { firefoxWith } from "../engines/firefox";
import { lateCases } from "../engines/late-cases";
import { offlineCases } from "../engines/offline-cases";
import { pushCases, pushedBy } from "../engines/push-cases";
import { PushService } from "../engines/push-service";
import { talkCases } from "../engines/talk-cases";

const service = new PushService();
afterAll(service.stop);

const firefox = firefoxWith(pushedBy(service));
const on = engineStage(firefox, { outbound_networks_allowed: "127.0.0.0/8" });

lateCases(on);
talkCases(on);
offlineCases(on);
anchorCases(on);
pushCases(on, service);
