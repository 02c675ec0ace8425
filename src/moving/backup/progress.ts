/** Reports the progress of work: its name, the part that is done, and the total if known. */
export type Progress = (what: string, done: number, total?: number) => void;
