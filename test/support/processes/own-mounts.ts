import { spawnSync } from "bun";
import { lacking, requireTool } from "./tools";

/** A command that runs another one where a shell command has mounted disks for it alone. */
export const withMounts = (mount: string): string[] => [
  "unshare",
  "-rm",
  "sh",
  "-c",
  `${mount} && exec "$@"`,
  "sh",
];

/** A command that runs another one with numbers of processes of its own, as in a container. */
export const withOwnProcesses = ["unshare", "-rpf", "--kill-child"];

/** Whether this machine lets a test run processes with numbers of their own. */
export const mayNumberProcesses = (): boolean =>
  requireTool("unshare") &&
  (spawnSync([...withOwnProcesses, "true"]).exitCode === 0 ||
    lacking("this machine lets no test number processes by itself"));

/** Whether this machine lets a test mount a disk. */
export const mayMount = (): boolean =>
  requireTool("unshare") &&
  (spawnSync([...withMounts("mount -t tmpfs none /mnt"), "true"]).exitCode === 0 ||
    lacking("this machine lets no test mount a disk of its own"));
