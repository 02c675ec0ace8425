/*
 * Advisory locks of a whole database: arbitrary numbers that are equal in every process. A write
 * locks its realm, by the realm's id.
 */

/** Lock for migrating, and for checking whether there is anything to migrate. */
export const migrationLock = 7_216_115;

/**
 * Lock that every server and command shares while it uses a database. The names of sessions are not
 * enough to find them, because the address of the database, or a pooler, may set other names.
 */
export const atWorkLock = 7_216_116;
