import type { Verdict as WireVerdict, VerdictFigures } from '../../../../generated/connections/v1/types.gen.ts';
import type { RuleVerdict } from '../../../domain/connections/rules/rule-verdict.ts';
import { toDesignator } from './to-leg.ts';
import { toMctRecord, toMinimumConnectingTime } from './to-minimum-connecting-time.ts';
import { renderVerdict } from './render-verdict.ts';

const wireServices = { Passenger: 'passenger', Cargo: 'cargo' } as const;
const toOneDecimal = (value: number): number => Math.round(value * 10) / 10;

const toFigures = ({ rule, figures }: RuleVerdict): VerdictFigures => {
  switch (rule) {
    case 'service': {
      const toService = ({ serviceType, classes }: typeof figures.leg1) => ({
        serviceType,
        services: classes.map((trafficClass) => wireServices[trafficClass]),
      });
      return { leg1: toService(figures.leg1), leg2: toService(figures.leg2) };
    }
    case 'same-flight': {
      const toFlight = ({ flight, operating }: typeof figures.leg1) => ({
        flight: toDesignator(flight),
        operatingFlight: toDesignator(operating),
      });
      return { leg1: toFlight(figures.leg1), leg2: toFlight(figures.leg2) };
    }
    case 'connection-point': {
      const { arrivalAirport, arrivalCity, departureAirport, departureCity, isInterAirport } = figures;
      return {
        arrivalAirport,
        ...(arrivalCity !== '' && { arrivalCity }),
        departureAirport,
        ...(departureCity !== '' && { departureCity }),
        interAirport: isInterAirport,
      };
    }
    case 'position':
      return { unknownPositions: [...figures.unknown] };
    case 'circuity': {
      const { origin, destination, kilometers, directKilometers, percent, maxPercent } = figures;
      return {
        origin,
        destination,
        kilometers,
        directKilometers,
        ...(percent !== undefined && { percent: toOneDecimal(percent) }),
        maximumPercent: maxPercent,
      };
    }
    case 'codeshare': {
      const toCodeshareLeg = ({ carrier, isMarketing }: typeof figures.leg1) => ({ carrier, marketing: isMarketing });
      return { leg1: toCodeshareLeg(figures.leg1), leg2: toCodeshareLeg(figures.leg2) };
    }
    case 'partners':
      return { objections: figures.refusals.map(({ carrier, other, line }) => ({ carrier, other, line })) };
    case 'traffic-restriction':
      return {
        passenger: figures.passenger,
        cargo: figures.cargo,
        refusals: figures.refusals.map(({ leg, code, readAs, meaning, airport, service, reason }) => ({
          leg,
          code,
          readAs,
          ...(meaning !== '' && { meaning }),
          airport,
          service: wireServices[service],
          reason,
        })),
      };
    case 'suppressed':
      return { ...(figures.record && { record: toMctRecord(figures.record) }) };
    case 'minimum-connecting-time': {
      const { actualMinutes, minimumMinutes, status, record } = figures;
      return {
        actualMinutes,
        minimumConnectingTime: toMinimumConnectingTime({ minutes: minimumMinutes, status, record }),
      };
    }
    case 'maximum-connecting-time':
      return { actualMinutes: figures.actualMinutes, maximumMinutes: figures.maximumMinutes };
  }
};

/** Returns the wire form of a rule's verdict: allowed or not, an explanation, and the figures behind it. */
export const toVerdict = (verdict: RuleVerdict): WireVerdict => ({
  rule: verdict.rule,
  allowed: verdict.allowed,
  text: renderVerdict(verdict),
  figures: toFigures(verdict),
});
