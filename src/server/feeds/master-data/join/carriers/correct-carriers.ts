import type { LoadReport } from '#feeds/load-report.ts';
import { normalizeCarrierName } from '#feeds/master-data/carrier-name.ts';
import { findEndDate, findIcaoCode } from '#feeds/master-data/overrides/carrier-overrides.ts';
import type { Airline } from '#feeds/master-data/sources/airlines.ts';

/** Ends carriers that the list has as current although they ended; each is reported. */
export const endCarriers = (airlines: readonly Airline[], report: LoadReport): readonly Airline[] =>
  airlines.map((airline) => {
    const endedOn = airline.isCurrent ? findEndDate(airline) : undefined;
    if (endedOn === undefined) return airline;
    const { iata, name } = airline;
    const when = endedOn === '' ? 'on an unknown date' : `on ${endedOn}`;
    const message = `${name} (${iata}) ended ${when}, but the list of carriers contains it as current.`;
    report.entries.push({
      severity: 'corrected',
      field: 'validity_to',
      value: '',
      reason: 'carrier-ended',
      message,
    });
    return { ...airline, isCurrent: false, endedOn, isEndOverridden: true };
  });

type IcaoCodeMatch = { readonly icao: string; readonly source: 'vrs-airlines' | 'own' };

/** Returns the ICAO code of the operators with the same IATA code and name, if they have one only. */
const findOperatorCode = ({ name, isCurrent }: Airline, sharing: readonly Airline[]): IcaoCodeMatch | undefined => {
  const normalizedName = normalizeCarrierName(name);
  if (!isCurrent || normalizedName === '') return undefined;
  const [icao, ...others] = new Set(
    sharing.filter((other) => normalizeCarrierName(other.name) === normalizedName).map((other) => other.icao),
  );
  return icao === undefined || others.length > 0 ? undefined : { icao, source: 'vrs-airlines' };
};

/**
 * Sets the ICAO codes of carriers: the override, else for current carriers the code that the list of operators has for the same IATA
 * code and name, if it has one only. The list of carriers lacks many codes; where the two differ, it often has the code of a
 * predecessor or a typing error (`FTT` for Frontier's `FFT`). Every change is reported.
 */
export const completeIcaoCodes = (
  airlines: readonly Airline[],
  operators: readonly Airline[],
  report: LoadReport,
): readonly Airline[] => {
  const operatorsWithBoth = operators.filter(({ iata, icao }) => iata !== '' && icao !== '');
  const operatorsByIata = Map.groupBy(operatorsWithBoth, ({ iata }) => iata);
  return airlines.map((airline) => {
    const { iata, icao, name } = airline;
    if (iata === '') return airline;
    const override = findIcaoCode(airline);
    const match: IcaoCodeMatch | undefined =
      override === undefined
        ? findOperatorCode(airline, operatorsByIata.get(iata) ?? [])
        : { icao: override, source: 'own' };
    if (!match || match.icao === icao) return airline;
    const correction = match.icao === '' ? `not ${icao}, which belongs to another company` : match.icao;
    const message = `The ICAO code of ${name} (${iata}) is ${correction}; the list of carriers contains ${icao === '' ? 'none' : icao}.`;
    report.entries.push({
      severity: 'corrected',
      field: '3char_code',
      value: icao,
      reason: 'carrier-icao-code',
      message,
    });
    return { ...airline, icao: match.icao, icaoSource: match.source };
  });
};
