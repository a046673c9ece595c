import type { Verdict as WireVerdict, VerdictFigures } from '../../../../generated/connections/v1/types.gen.ts';
import type { Verdict } from '../../../domain/connections/rules/verdict.ts';
import { showDesignator } from './to-leg.ts';
import { showMctRecord, showMinimum } from './to-minimum-connecting-time.ts';
import { verdictText } from './verdict-text.ts';

const wireServices = { Passenger: 'passenger', Cargo: 'cargo' } as const;
const toOneDecimal = (value: number): number => Math.round(value * 10) / 10;

const showFigures = ({ rule, figures }: Verdict): VerdictFigures => {
  switch (rule) {
    case 'service': {
      const show = ({ serviceType, classes }: typeof figures.leg1) => ({
        serviceType,
        services: classes.map((one) => wireServices[one]),
      });
      return { leg1: show(figures.leg1), leg2: show(figures.leg2) };
    }
    case 'same-flight': {
      const show = ({ flight, operating }: typeof figures.leg1) => ({
        flight: showDesignator(flight),
        operatingFlight: showDesignator(operating),
      });
      return { leg1: show(figures.leg1), leg2: show(figures.leg2) };
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
      const show = ({ carrier, isMarketing }: typeof figures.leg1) => ({ carrier, marketing: isMarketing });
      return { leg1: show(figures.leg1), leg2: show(figures.leg2) };
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
      return { ...(figures.record && { record: showMctRecord(figures.record) }) };
    case 'minimum-connecting-time': {
      const { actualMinutes, minimumMinutes, status, record } = figures;
      return { actualMinutes, minimumConnectingTime: showMinimum({ minutes: minimumMinutes, status, record }) };
    }
    case 'maximum-connecting-time':
      return { actualMinutes: figures.actualMinutes, maximumMinutes: figures.maximumMinutes };
  }
};

/** What a rule made of two flights: whether it allows them, why in words, and by what. */
export const showVerdict = (verdict: Verdict): WireVerdict => ({
  rule: verdict.rule,
  allowed: verdict.allowed,
  text: verdictText(verdict),
  figures: showFigures(verdict),
});
