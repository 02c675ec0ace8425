/**
 * Told how far long work has come: what is being done, how much of it, of how much where that is
 * known.
 */
export type Progress = (what: string, done: number, total?: number) => void;
