import type { Designator } from '../../schedule/schedule.ts';
import type { ServiceClass } from '../../schedule/service-types.ts';
import type { PartnerRefusal } from './cooperation.ts';
import type { MctRecord, MctStatus } from '../mct/mct-record.ts';
import type { TrafficRefusal } from './pair-traffic.ts';
import type { RuleName } from './rule-names.ts';

type ByLeg<T> = { readonly leg1: T; readonly leg2: T };

/** What each rule looked at. Distances are kilometres with one decimal, percent is unrounded. */
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
  /** Without a direct way, where the origin is the destination, there is no percent. */
  readonly circuity: {
    readonly origin: string;
    readonly destination: string;
    readonly kilometers: number;
    readonly directKilometers: number;
    readonly percent: number | undefined;
    readonly maxPercent: number;
  };
  readonly codeshare: ByLeg<{ readonly carrier: string; readonly isMarketing: boolean }>;
  readonly partners: { readonly refusals: readonly PartnerRefusal[] };
  readonly 'traffic-restriction': {
    readonly passenger: boolean;
    readonly cargo: boolean;
    /** `meaning` of the code as it is read, '' when it is unknown; `airport` is where the restriction holds. */
    readonly refusals: readonly (TrafficRefusal & { readonly meaning: string; readonly airport: string })[];
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

/** What one rule says of a pair of flights, and by what. */
export type Verdict = {
  [Rule in RuleName]: { readonly rule: Rule; readonly allowed: boolean; readonly figures: RuleFigures[Rule] };
}[RuleName];
