/**
 * The thread that works out formulas and code: it answers the works of a text with the result of
 * each, in their order.
 */
import { doWork, type HeavyWork } from "../../markdown/heavy-work";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<HeavyWork[]>) => postMessage(data.map(doWork));
