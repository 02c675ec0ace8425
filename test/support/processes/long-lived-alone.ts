import { longLived } from "./long-lived";

/*
 * A process that runs test files loads this before them. Its runtime has read the settings when it
 * began; executables that tests start with its environment do not get them.
 */
for (const name of Object.keys(longLived)) delete process.env[name];
