import { runCommandLine } from "./program";

// Files that chatd makes are only for its own account, because a service manager or a shell may
// allow more.
process.umask(0o077);
process.exit(await runCommandLine());
