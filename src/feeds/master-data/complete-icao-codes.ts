import type { LoadReport } from '../load-report.ts';
import type { Airline } from './airlines.ts';

/** A name without what lists write differently: accents, blanks, hyphens, capitals and the words for airline. */
const bareName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/airlines?|airways|air/g, '');

/**
 * Gives current carriers the ICAO code that the list of operators has for one with the same IATA code and name, where it has
 * one only. The list of carriers lacks many codes, and where the two differ it tends to have that of a predecessor or a slip of the
 * pen (`FTT` for Frontier's `FFT`). Every code filled in or replaced is reported.
 */
export const completeIcaoCodes = (
  airlines: readonly Airline[],
  operators: readonly Airline[],
  report: LoadReport,
): readonly Airline[] => {
  const withBoth = operators.filter(({ iata, icao }) => iata !== '' && icao !== '');
  const byIata = Map.groupBy(withBoth, ({ iata }) => iata);
  return airlines.map((airline) => {
    const { iata, icao, name, current } = airline;
    const wanted = bareName(name);
    if (!current || iata === '' || wanted === '') return airline;
    const codes = new Set(
      (byIata.get(iata) ?? []).filter((other) => bareName(other.name) === wanted).map((other) => other.icao),
    );
    const [code] = codes;
    if (code === undefined || codes.size > 1 || code === icao) return airline;
    const message = `The ICAO code of ${name} (${iata}) is ${code}; the list of carriers has ${icao === '' ? 'none' : icao}.`;
    report.entries.push({
      severity: 'corrected',
      field: '3char_code',
      value: icao,
      reason: 'carrier-icao-code',
      message,
    });
    return { ...airline, icao: code };
  });
};
