import { buildCarrier, buildLeg, buildTrailer, buildWholeFile, header } from '#test/feeds/ssim/build-file.ts';
import { type OracleLeg, type OracleMessage, shiftDay, type Mode, offsetAt, writeClock, writeDay } from './oracle.ts';

/** A routing over a period of origin dates. */
export type FiledRouting = {
  readonly flight: string;
  readonly mode: Mode;
  readonly period: OracleMessage['period'];
  readonly legs: readonly OracleLeg[];
};

const writeDays = (days: string, shift: number): string => {
  const shifted = [...days].map((digit) => (((Number(digit) - 1 + shift) % 7) + 7) % 7);
  return [0, 1, 2, 3, 4, 5, 6].map((day) => (shifted.includes(day) ? String(day + 1) : ' ')).join('');
};
const writeVariation = (minutes: number): string => `${minutes < 0 ? '-' : '+'}${writeClock(Math.abs(minutes))}`;
const writeDayChange = (days: number): string => (days === -1 ? 'A' : String(days));

/** Writes routings as an SSIM file, one itinerary variation each. */
export const writeSsimFile = (routings: readonly FiledRouting[]): string => {
  const numbers = new Map<string, number>();
  const records = routings.flatMap(({ flight, mode, period: [from, to, days, weeks], legs }) => {
    const number = (numbers.get(flight) ?? 0) + 1;
    numbers.set(flight, number);
    const [, carrier = '', digits = '', suffix = ''] = /^(..)(\d+)(.?)$/.exec(flight) ?? [];
    const lines = legs.map((leg, index) => {
      const [out, arrival] = [leg.out, leg.in];
      const variation = (station: string, [minutes, shift]: readonly [number, number]): string =>
        writeVariation(offsetAt(mode, from, station, [minutes, shift]));
      const clock = {
        40: writeClock(out[0]),
        44: writeClock(out[0]),
        58: writeClock(arrival[0]),
        62: writeClock(arrival[0]),
      };
      return buildLeg(
        {
          2: suffix || ' ',
          3: carrier,
          6: digits.padStart(4, '0'),
          10: String(number % 100).padStart(2, '0'),
          12: `0${index + 1}`,
          128: number > 99 ? String(Math.floor(number / 100)) : ' ',
        },
        {
          15: writeDay(shiftDay(from, out[1])),
          22: writeDay(shiftDay(to, out[1])),
          29: writeDays(days, out[1]),
          36: weeks === 2 ? '2' : ' ',
        },
        {
          37: leg.from,
          48: variation(leg.from, out),
          55: leg.to,
          66: variation(leg.to, arrival),
          73: leg.type,
          132: leg.crew,
          173: leg.configuration,
        },
        clock,
        { 193: writeDayChange(out[1]), 194: writeDayChange(arrival[1]) },
      );
    });
    return [{ carrier, mode, lines }];
  });
  const blocks = [...Map.groupBy(records, ({ carrier, mode }) => `${mode} ${carrier}`).values()];
  return buildWholeFile(
    header,
    ...blocks.flatMap((block, index) => {
      const { carrier = '', mode = 'LT' } = block[0] ?? {};
      const head = buildCarrier({ 1: mode === 'UTC' ? '2U' : '2L', 3: `${carrier} `, 15: '01JAN26', 22: '31DEC27' });
      return [
        head,
        ...block.flatMap(({ lines }) => lines),
        buildTrailer(index === blocks.length - 1 ? 'E' : 'C', carrier),
      ];
    }),
  );
};
