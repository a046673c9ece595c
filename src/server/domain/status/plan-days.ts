/** How far from today, in days, plans of flights can create days. Flights on days that exist are not limited. */
export type PlanDays = { readonly back: number; readonly ahead: number };

/** A feed that was down for a week can be sent again; the horizon of schedules ends 60 days ahead, too. */
export const defaultPlanDays: PlanDays = { back: 7, ahead: 60 };

/** The largest values of the configuration. */
export const MAX_PLAN_DAYS = 400;
