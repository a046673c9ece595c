/** How much more than what is left an owner may have: a single one can have three quarters, two have three sevenths each. */
const SHARE = 3;

/**
 * Divides an amount, such as memory, among owners by dynamic queue length thresholds (IEEE/ACM Transactions on Networking 6/2, 1998): an owner
 * can have up to three times what is left. However much the others have, an owner that has little therefore gets some.
 */
export class FairBudget {
  readonly #total: number;
  readonly #byOwner = new Map<number, number>();
  #used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Takes an amount for an owner; returns false, and takes nothing, if its share is used up. */
  acquire(owner: number, amount: number): boolean {
    const own = (this.#byOwner.get(owner) ?? 0) + amount;
    const left = this.#total - this.#used;
    if (amount > left || own > SHARE * left) return false;
    this.#byOwner.set(owner, own);
    this.#used += amount;
    return true;
  }

  /** Returns an amount that was acquired. */
  release(owner: number, amount: number): void {
    const own = (this.#byOwner.get(owner) ?? 0) - amount;
    if (own > 0) this.#byOwner.set(owner, own);
    else this.#byOwner.delete(owner);
    this.#used -= amount;
  }
}
