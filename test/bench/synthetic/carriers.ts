import type { Carrier } from '#domain/master-data/master-data.ts';
import { carriers as demoCarriers } from '#demo/world/carriers.ts';

/** The number of carriers; those of the demo world come on top and have no flights. */
const CARRIER_COUNT = 600;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const digits = [...'0123456789'];

/** Generates designators of a letter and a digit, of a digit and a letter, then of two letters. */
const generateDesignators = function* (): Generator<string> {
  for (const letter of letters) for (const digit of digits) yield `${letter}${digit}`;
  for (const digit of digits) for (const letter of letters) yield `${digit}${letter}`;
  for (const first of letters) for (const second of letters) yield `${first}${second}`;
};

/** Creates the carriers of the synthetic world, the largest first. */
export const createCarriers = (): readonly Omit<Carrier, 'id'>[] => {
  const taken = new Set(demoCarriers.map(({ iata }) => iata));
  const codes = [...generateDesignators()].filter((code) => !taken.has(code)).slice(0, CARRIER_COUNT);
  return codes.map((iata, index) => ({
    iata,
    icao: `X${letters[Math.floor(index / letters.length)] ?? ''}${letters[index % letters.length] ?? ''}`,
    name: `Synthetic Airline ${index + 1}`,
    rank: 1,
  }));
};
