import type { LoadReport } from '../../../load-report.ts';
import { normalizeCarrierName } from '../../carrier-name.ts';
import { findEndDate, findIcaoCode } from '../../overrides/carrier-overrides.ts';
import type { Airline } from '../../sources/airlines.ts';

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

type Found = { readonly icao: string; readonly source: 'vrs-airlines' | 'own' };

/** The ICAO code that the operators of the same IATA code and name have, where it is one only. */
const operatorsCode = ({ name, current }: Airline, sharing: readonly Airline[]): Found | undefined => {
  const wanted = normalizeCarrierName(name);
  if (!current || wanted === '') return undefined;
  const [icao, ...others] = new Set(
    sharing.filter((other) => normalizeCarrierName(other.name) === wanted).map((other) => other.icao),
  );
  return icao === undefined || others.length > 0 ? undefined : { icao, source: 'vrs-airlines' };
};

/**
 * Gives carriers the ICAO code of the service's own list, and current ones without a line in it the code that the list of
 * operators has for one with the same IATA code and name, where it has one only. The list of carriers lacks many codes, and
 * where the two differ it tends to have that of a predecessor or a slip of the pen (`FTT` for Frontier's `FFT`). Every code
 * filled in, replaced or dropped is reported.
 */
export const completeIcaoCodes = (
  airlines: readonly Airline[],
  operators: readonly Airline[],
  report: LoadReport,
): readonly Airline[] => {
  const withBoth = operators.filter(({ iata, icao }) => iata !== '' && icao !== '');
  const byIata = Map.groupBy(withBoth, ({ iata }) => iata);
  return airlines.map((airline) => {
    const { iata, icao, name } = airline;
    if (iata === '') return airline;
    const own = findIcaoCode(airline);
    const found: Found | undefined =
      own === undefined ? operatorsCode(airline, byIata.get(iata) ?? []) : { icao: own, source: 'own' };
    if (!found || found.icao === icao) return airline;
    const truth = found.icao === '' ? `not ${icao}, which is another company's` : found.icao;
    const message = `The ICAO code of ${name} (${iata}) is ${truth}; the list of carriers has ${icao === '' ? 'none' : icao}.`;
    report.entries.push({
      severity: 'corrected',
      field: '3char_code',
      value: icao,
      reason: 'carrier-icao-code',
      message,
    });
    return { ...airline, icao: found.icao, icaoSource: found.source };
  });
};
