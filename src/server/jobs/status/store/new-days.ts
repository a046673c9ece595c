import { defaultPlanDays, type PlanDays } from '#domain/status/plan-days.ts';
import { addDays, type LocalDate } from '#domain/time/dates.ts';

/** Days that a request or a batch of a stream can create. A day has eleven relations, and creating it takes about 15 ms of the database. */
const MAX_NEW_DAYS = 4;

export type NewDaysOptions = {
  readonly planDays?: PlanDays | undefined;
  /** The most days; 0 while a schedule load creates days, for which others would wait. */
  readonly max?: number;
};

/** Decides which days the plans of a request, a batch or a file can create. */
export class NewDays {
  readonly #from: LocalDate;
  readonly #to: LocalDate;
  readonly #max: number;
  readonly #days = new Set<LocalDate>();

  constructor(today: LocalDate, { planDays = defaultPlanDays, max = MAX_NEW_DAYS }: NewDaysOptions = {}) {
    this.#from = addDays(today, -planDays.back);
    this.#to = addDays(today, planDays.ahead);
    this.#max = max;
  }

  /** Adds a day that does not exist; returns the reason when it cannot be created. */
  add(day: LocalDate): 'plan-too-far' | 'day-pending' | undefined {
    if (day < this.#from || day > this.#to) return 'plan-too-far';
    if (!this.#days.has(day) && this.#days.size >= this.#max) return 'day-pending';
    this.#days.add(day);
    return undefined;
  }
}
