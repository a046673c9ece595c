import { FairBudget } from '#lib/fair-budget.ts';
import { overloadedProblem } from '../rate-limit/load-shedder.ts';
import { readBodyBytes, type ReserveMemory } from './body-bytes.ts';

/** Memory of all bodies that a process receives or has received for requests that it has not answered. */
const PROCESS_BYTES = 128 * 1024 * 1024;

/** Memory of a request whose body arrives: its connection and the buffers of its streams. */
const BYTES_PER_BODY = 64 * 1024;

/**
 * Bounds the memory of the bodies in a process, and shares it among subscriptions: one whose bodies take its share gets `overloaded` for its further
 * ones. Bodies are not limited by number, because one that arrives slowly takes little.
 */
export class BodyMemory {
  readonly #budget: FairBudget;

  constructor(totalBytes = PROCESS_BYTES) {
    this.#budget = new FairBudget(totalBytes);
  }

  /** Reads a body of a subscription as `readBodyBytes` does, and holds its memory until `use` has ended. */
  async receive<T>(
    request: Request,
    { owner, maxBytes }: { readonly owner: number; readonly maxBytes: number },
    use: (bytes: Buffer) => Promise<T>,
  ): Promise<T> {
    let held = 0;
    const reserve: ReserveMemory = (bytes) => {
      if (!this.#budget.acquire(owner, bytes)) throw overloadedProblem();
      held += bytes;
    };
    try {
      reserve(BYTES_PER_BODY);
      return await use(await readBodyBytes(request, maxBytes, reserve));
    } finally {
      this.#budget.release(owner, held);
    }
  }
}
