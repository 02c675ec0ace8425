/**
 * The thread that renders formulas and code: it answers the works of a text with their results, in
 * order.
 */
import { doWork, type HeavyWork } from "../../markdown/heavy-work";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<HeavyWork[]>) => postMessage(data.map(doWork));
