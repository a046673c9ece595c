import type { Designator } from '#domain/schedule/schedule.ts';
import type { ServiceClass } from '#domain/schedule/service-types.ts';
import type { MctRecord, MctStatus } from '../mct/mct-record.ts';
import type { PartnerRejection } from './carrier-relations.ts';
import type { TrafficRejection } from './traffic-rejections.ts';

/** The rules of connections in the order in which they are applied (docs/reference/connection-rules.md). */
export const ruleNames = [
  'service',
  'same-flight',
  'connection-point',
  'position',
  'circuity',
  'codeshare',
  'partners',
  'traffic-restriction',
  'suppressed',
  'minimum-connecting-time',
  'maximum-connecting-time',
] as const;

export type RuleName = (typeof ruleNames)[number];

type ByLeg<T> = { readonly leg1: T; readonly leg2: T };

/** The figures each rule was decided by. Distances are kilometres with one decimal; percentages are unrounded. */
export type RuleFigures = {
  readonly service: ByLeg<{ readonly serviceType: string; readonly classes: readonly ServiceClass[] }>;
  readonly 'same-flight': ByLeg<{ readonly flight: Designator; readonly operating: Designator }>;
  readonly 'connection-point': {
    readonly arrivalAirport: string;
    readonly arrivalCity: string;
    readonly departureAirport: string;
    readonly departureCity: string;
    readonly isInterAirport: boolean;
  };
  /** Airports whose position is unknown. */
  readonly position: { readonly unknown: readonly string[] };
  /** Percent is undefined when the origin is the destination, because there is no direct route. */
  readonly circuity: {
    readonly origin: string;
    readonly destination: string;
    readonly kilometers: number;
    readonly directKilometers: number;
    readonly percent: number | undefined;
    readonly maxPercent: number;
  };
  readonly codeshare: ByLeg<{ readonly carrier: string; readonly isMarketing: boolean }>;
  readonly partners: { readonly rejections: readonly PartnerRejection[] };
  readonly 'traffic-restriction': {
    readonly passenger: boolean;
    readonly cargo: boolean;
    /** `meaning` of the applied code, '' when it is unknown; `airport` is where the restriction holds. */
    readonly rejections: readonly (TrafficRejection & { readonly meaning: string; readonly airport: string })[];
  };
  /** `record`: the one that forbids the connection. */
  readonly suppressed: { readonly record: MctRecord | undefined };
  /** `record`: the one that gives the minutes; undefined when they are the default. */
  readonly 'minimum-connecting-time': {
    readonly status: MctStatus;
    readonly minimumMinutes: number;
    readonly actualMinutes: number;
    readonly isInterAirport: boolean;
    readonly record: MctRecord | undefined;
  };
  readonly 'maximum-connecting-time': { readonly actualMinutes: number; readonly maximumMinutes: number };
};

/** The result of one rule for a pair of flights, with its figures. */
export type RuleVerdict = {
  [Rule in RuleName]: { readonly rule: Rule; readonly allowed: boolean; readonly figures: RuleFigures[Rule] };
}[RuleName];
