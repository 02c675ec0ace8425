import { FairQueue } from "./fair-queue";

/** The thread of a job ended, or the job exceeded its time limit. */
export class WorkerLostError extends Error {
  constructor(why: string) {
    super(`The thread for heavy work was lost: ${why}.`);
    this.name = "WorkerLostError";
  }
}

interface WorkerOptions {
  /** The module that the thread runs: it answers each message with one. */
  path: string;
  /** Number of jobs that may wait. */
  waitingMax: number;
  /** Makes the error for jobs beyond that. */
  refusal: () => Error;
  /** Time limit of a job, after which the thread is ended. */
  jobMsMax: number;
  /** Time without a job after which the thread ends, to free its memory. */
  idleMs: number;
}

/**
 * A queue of long jobs that one thread does, off the event loop. The thread starts with the first
 * job. The people who asked for the jobs take turns (`FairQueue`). When the thread ends or does not
 * answer in time, its job fails (`WorkerLostError`), and the next job gets a new thread.
 */
export class WorkerQueue<Job, Made> {
  private readonly queue: FairQueue<string>;
  private worker: Worker | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: WorkerOptions) {
    this.queue = new FairQueue(options.waitingMax, options.refusal);
  }

  /**
   * Has a job done for somebody. Fails with `refusal` where too many wait, and with
   * `WorkerLostError` where the thread is lost.
   */
  run(key: string, job: Job): Promise<Made> {
    return this.queue.take(key, () => this.ask(job));
  }

  /** Whether a thread is running. */
  get isStarted(): boolean {
    return this.worker !== undefined;
  }

  /** Ends the thread now; the next job starts another. */
  end(): void {
    clearTimeout(this.idle);
    this.worker?.terminate();
    this.worker = undefined;
  }

  /** The running thread, or a new one. A thread that ends between two jobs is dropped. */
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
   * Starting a thread and giving it a job may throw at once, for example if its module is missing:
   * that job fails too.
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
    // Posted first, because if this throws, nothing may be left waiting; the answer comes in a
    // later turn.
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
