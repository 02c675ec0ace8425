import { FairLine } from "./fair-line";

/** The thread that was to do a job ended, or took longer than any job may. */
export class WorkerLostError extends Error {
  constructor(why: string) {
    super(`The thread for heavy work was lost: ${why}.`);
    this.name = "WorkerLostError";
  }
}

export interface WorkerOptions {
  /** The module that the thread runs: it answers each message with one. */
  path: string;
  /** Number of jobs that may wait. */
  waitingMax: number;
  /** The refusal of a job beyond that. */
  refusal: () => Error;
  /** Longest time of a job; then the thread is ended. */
  jobMsMax: number;
  /** After so long without a job the thread ends, which gives its memory back. */
  idleMs: number;
}

/**
 * Jobs that take long, done by one thread beside the event loop, which is started when the first of
 * them comes. The people whom they are for take turns (`FairLine`). Neither a thread that ends nor
 * one that never answers keeps anybody waiting: its job fails (`WorkerLostError`), and the next one
 * has a new thread.
 */
export class WorkerLine<Job, Made> {
  private readonly line: FairLine<string>;
  private worker: Worker | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: WorkerOptions) {
    this.line = new FairLine(options.waitingMax, options.refusal);
  }

  /**
   * Has a job done for somebody. Fails with `refusal` where too many wait, and with
   * `WorkerLostError`.
   */
  run(key: string, job: Job): Promise<Made> {
    return this.line.take(key, () => this.ask(job));
  }

  /** Whether there is a thread at the moment. */
  get isStarted(): boolean {
    return this.worker !== undefined;
  }

  /** Ends the thread now; the next job starts another. */
  end(): void {
    clearTimeout(this.idle);
    this.worker?.terminate();
    this.worker = undefined;
  }

  /** The thread that there is, or a new one. One that ends between two jobs is forgotten. */
  private start(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(this.options.path, { smol: true, ref: false });
    worker.addEventListener("close", () => {
      if (this.worker === worker) this.worker = undefined;
    });
    this.worker = worker;
    return worker;
  }

  /**
   * Starting a thread and giving it a job may throw at once, as where its module is not there: that
   * job is lost too.
   */
  private async ask(job: Job): Promise<Made> {
    try {
      return await this.hand(job, this.start());
    } catch (error) {
      if (error instanceof WorkerLostError) throw error;
      this.end();
      throw new WorkerLostError(String(error));
    }
  }

  private hand(job: Job, worker: Worker): Promise<Made> {
    clearTimeout(this.idle);
    // First, because nothing may wait for a job that was not taken; the answer comes in a later
    // turn.
    worker.postMessage(job);
    const { promise, resolve, reject } = Promise.withResolvers<Made>();
    const lose = (why: string) => {
      if (this.worker === worker) this.end();
      reject(new WorkerLostError(why));
    };
    const ended = () => lose("it ended");
    worker.onmessage = ({ data }: MessageEvent<Made>) => resolve(data);
    worker.onerror = ({ message }) => lose(message);
    worker.addEventListener("close", ended);
    const late = setTimeout(() => lose("it took too long"), this.options.jobMsMax);
    return promise.finally(() => {
      clearTimeout(late);
      worker.removeEventListener("close", ended);
      this.idle = setTimeout(() => this.end(), this.options.idleMs);
      this.idle.unref();
    });
  }
}
