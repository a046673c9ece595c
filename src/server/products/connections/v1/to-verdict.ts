import type { Verdict as WireVerdict, VerdictFigures } from '#generated/connections/v1/types.gen.ts';
import { DEFAULT_MAX_CONNECTING_MINUTES } from '#domain/connections/rules/connection-point.ts';
import type { RuleVerdict } from '#domain/connections/rules/rule-verdict.ts';
import { toDesignator } from './to-leg.ts';
import { toMctRecord, toMinimumConnectingTime } from './to-minimum-connecting-time.ts';
import { renderVerdict } from './render-verdict.ts';

const wireServices = { Passenger: 'passenger', Cargo: 'cargo' } as const;
const toOneDecimal = (value: number): number => Math.round(value * 10) / 10;

type FiguresOf<Rule extends RuleVerdict['rule']> = Extract<RuleVerdict, { readonly rule: Rule }>['figures'];

const toService = ({ serviceType, classes }: FiguresOf<'service'>['leg1']) => ({
  serviceType,
  services: classes.map((trafficClass) => wireServices[trafficClass]),
});

const toFlight = ({ flight, operating }: FiguresOf<'same-flight'>['leg1']) => ({
  flight: toDesignator(flight),
  operatingFlight: toDesignator(operating),
});

const toConnectionPoint = (figures: FiguresOf<'connection-point'>): VerdictFigures => ({
  arrivalAirport: figures.arrivalAirport,
  ...(figures.arrivalCity !== '' && { arrivalCity: figures.arrivalCity }),
  departureAirport: figures.departureAirport,
  ...(figures.departureCity !== '' && { departureCity: figures.departureCity }),
  interAirport: figures.isInterAirport,
});

const toCircuity = ({ percent, maxPercent, ...figures }: FiguresOf<'circuity'>): VerdictFigures => ({
  origin: figures.origin,
  destination: figures.destination,
  kilometers: figures.kilometers,
  directKilometers: figures.directKilometers,
  ...(percent !== undefined && { percent: toOneDecimal(percent) }),
  maximumPercent: maxPercent,
});

const toCodeshareLeg = ({ carrier, isMarketing }: FiguresOf<'codeshare'>['leg1']) => ({
  carrier,
  marketing: isMarketing,
});

const toTrafficRestriction = ({ passenger, cargo, rejections }: FiguresOf<'traffic-restriction'>): VerdictFigures => ({
  passenger,
  cargo,
  refusals: rejections.map(({ leg, code, readAs, meaning, airport, service, reason }) => ({
    leg,
    code,
    readAs,
    ...(meaning !== '' && { meaning }),
    airport,
    service: wireServices[service],
    reason,
  })),
});

const toMinimum = ({
  actualMinutes,
  minimumMinutes,
  status,
  record,
}: FiguresOf<'minimum-connecting-time'>): VerdictFigures => ({
  actualMinutes,
  minimumConnectingTime: toMinimumConnectingTime({ minutes: minimumMinutes, status, record }),
});

const toFigures = ({ rule, figures }: RuleVerdict): VerdictFigures => {
  switch (rule) {
    case 'service':
      return { leg1: toService(figures.leg1), leg2: toService(figures.leg2) };
    case 'same-flight':
      return { leg1: toFlight(figures.leg1), leg2: toFlight(figures.leg2) };
    case 'connection-point':
      return toConnectionPoint(figures);
    case 'position':
      return { unknownPositions: [...figures.unknown] };
    case 'circuity':
      return toCircuity(figures);
    case 'codeshare':
      return { leg1: toCodeshareLeg(figures.leg1), leg2: toCodeshareLeg(figures.leg2) };
    case 'partners':
      return { objections: figures.rejections.map(({ carrier, other, line }) => ({ carrier, other, line })) };
    case 'traffic-restriction':
      return toTrafficRestriction(figures);
    case 'suppressed':
      return { ...(figures.record && { record: toMctRecord(figures.record) }) };
    case 'minimum-connecting-time':
      return toMinimum(figures);
    case 'maximum-connecting-time':
      return {
        actualMinutes: figures.actualMinutes,
        maximumMinutes: figures.maximumMinutes,
        defaultMaximumMinutes: DEFAULT_MAX_CONNECTING_MINUTES,
      };
  }
};

/** Returns the wire form of a rule's verdict: allowed or not, an explanation, and the figures behind it. */
export const toVerdict = (verdict: RuleVerdict): WireVerdict => ({
  rule: verdict.rule,
  allowed: verdict.allowed,
  text: renderVerdict(verdict),
  figures: toFigures(verdict),
});
