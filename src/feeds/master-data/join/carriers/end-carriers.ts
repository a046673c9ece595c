import type { LoadReport } from '../../../load-report.ts';
import type { Airline } from '../../sources/airlines.ts';
import { findEndDate } from '../../overrides/carrier-overrides.ts';

/** Ends carriers that the list has as current though they are known to have ended; each is reported. */
export const endCarriers = (airlines: readonly Airline[], report: LoadReport): readonly Airline[] =>
  airlines.map((airline) => {
    const endedOn = airline.current ? findEndDate(airline) : undefined;
    if (endedOn === undefined) return airline;
    const { iata, name } = airline;
    const when = endedOn === '' ? 'on a day that is not known' : `on ${endedOn}`;
    const message = `${name} (${iata}) ended ${when}; the list of carriers has it as current.`;
    report.entries.push({
      severity: 'corrected',
      field: 'validity_to',
      value: '',
      reason: 'carrier-ended',
      message,
    });
    return { ...airline, current: false, endedOn, isEndOwn: true };
  });
